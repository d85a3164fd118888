//! Loads files into a machine: from text to a typed definition, every problem with its place.

use std::collections::BTreeMap;
use std::sync::Arc;

use mlua::{MultiValue, Table, Value};

use super::api::define::{Kind, kind_of};
use super::define::fields::{Reader, kind_word};
use super::define::{Definition, nouns};
use super::fault;
use super::require::Loading;
use super::sources::{Source, Sources};
use super::text::{lint, outline::outline};
use super::vm::{LOAD_BUDGET, Vm};
use crate::scene::problem::Problem;

/// A file's text together with the texts of the modules it used: what has to be kept to load it again just so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// The file's own text.
    pub source: Option<Source>,
    /// Modules by path. For a newest version this is empty: it takes the modules of the moment.
    pub modules: BTreeMap<String, Source>,
}

impl Unit {
    /// One number for the text and its modules.
    pub fn hash(&self) -> u64 {
        let mut bytes = Vec::new();
        bytes.extend(self.source.iter().flat_map(|source| source.hash.to_le_bytes()));
        for (path, module) in &self.modules {
            bytes.extend(path.as_bytes());
            bytes.extend(module.hash.to_le_bytes());
        }
        xxhash_rust::xxh3::xxh3_64(&bytes)
    }
}

/// A file that loaded.
pub struct LoadedFile {
    /// Path relative to the project.
    pub file: String,
    /// What it defines.
    pub definition: Definition,
    /// The table that holds its functions.
    pub table: Table,
    /// Its text and the modules it used.
    pub unit: Unit,
}

/// Prepares a machine for the files of `sources`; once per machine, before the first file.
pub fn begin(vm: &Vm, sources: &Arc<Sources>, native: bool) {
    if let Some(mut loading) = vm.lua().app_data_mut::<Loading>() {
        loading.sources = Arc::clone(sources);
        loading.native = native;
    }
}

/// Loads one file.
///
/// # Errors
/// Everything that is wrong with it, as far as it can be told at once.
pub fn load_file(
    vm: &Vm,
    sources: &Sources,
    file: &str,
    unit: &Unit,
    native: bool,
) -> Result<LoadedFile, Vec<Problem>> {
    let Some(source) = unit.source.as_ref().or_else(|| sources.files.get(file)) else {
        return Err(vec![Problem::error("missing-file", "the file is gone").in_file(file)]);
    };
    let text = &source.text;
    // Places are looked up in the texts that really run, so an older version shows its own lines.
    let seen = seen_by(sources, file, source, &unit.modules);
    let mut reader = Reader { file, text, problems: Vec::new() };
    check_changes(&mut reader);
    let table = match evaluate(vm, file, text, unit, native) {
        Ok(table) => table,
        Err((error, modules)) => {
            let mut problems = reader.problems;
            let seen = with_modules(seen, &modules);
            problems.push(error.into_problem(file, text, &seen));
            return Err(problems);
        }
    };
    let (kind, table, modules) = table;
    let definition = nouns::read(&sources.name_of(file), kind, &table, &outline(text), &mut reader);
    if reader.problems.iter().any(Problem::is_error) {
        return Err(reader.problems);
    }
    let unit = Unit { source: Some(source.clone()), modules };
    Ok(LoadedFile { file: file.to_owned(), definition, table, unit })
}

/// Why a file gave no definition.
enum Refusal {
    /// Luau's error.
    Lua(mlua::Error),
    /// It ran, but what it returned is no definition.
    Returned(String, Option<&'static str>),
}

impl Refusal {
    fn into_problem(self, file: &str, text: &str, sources: &Sources) -> Problem {
        match self {
            Self::Lua(error) => fault::problem(&error, file, sources),
            Self::Returned(message, hint) => {
                let line = (text.lines().count() as u32).max(1);
                let problem = Problem::error("no-definition", message).in_file(file).at_line(line);
                match hint {
                    Some(hint) => problem.hint(hint).with_source(text),
                    None => problem.with_source(text),
                }
            }
        }
    }
}

type Evaluated = (Kind, Table, BTreeMap<String, Source>);

fn evaluate(
    vm: &Vm,
    file: &str,
    text: &str,
    unit: &Unit,
    native: bool,
) -> Result<Evaluated, (Refusal, BTreeMap<String, Source>)> {
    let native = native && per_tick(text);
    let function = vm.compile(file, text, native).map_err(|error| (Refusal::Lua(error), BTreeMap::new()))?;
    if let Some(mut loading) = vm.lua().app_data_mut::<Loading>() {
        loading.begin(file, unit.modules.clone());
    }
    let result = vm.call::<MultiValue>(&function, (), LOAD_BUDGET);
    let modules = vm.lua().app_data_mut::<Loading>().map(|mut loading| loading.end()).unwrap_or_default();
    let values = match result {
        Ok(values) => values,
        Err(error) => return Err((Refusal::Lua(error), modules)),
    };
    let refuse = |message: String| (Refusal::Returned(message, None), BTreeMap::new());
    let several = values.len() > 1;
    match values.into_iter().next() {
        None | Some(Value::Nil) => {
            Err(refuse("the file returns nothing; a script ends with \"return yard.behavior { … }\"".to_owned()))
        }
        Some(_) if several => {
            Err(refuse("the file returns several values; a script ends with one definition".to_owned()))
        }
        Some(Value::Table(table)) => match kind_of(vm.lua(), &table) {
            Some(kind) => Ok((kind, table, modules)),
            None => Err((
                Refusal::Returned(
                    "the file returns a plain table; a script ends with \"return yard.behavior { … }\"".to_owned(),
                    Some("a module without a definition belongs into a folder lib/"),
                ),
                BTreeMap::new(),
            )),
        },
        Some(other) => Err(refuse(format!(
            "the file returns a {}; a script ends with \"return yard.behavior {{ … }}\"",
            kind_word(&other)
        ))),
    }
}

/// Whether a file's functions run for every agent and tick, so that native code pays.
fn per_tick(text: &str) -> bool {
    ["yard.force", "yard.behavior", "yard.machine"].iter().any(|constructor| text.contains(constructor))
}

fn check_changes(reader: &mut Reader<'_>) {
    for change in lint::file_level_changes(reader.text) {
        reader.error_hint(
            "file-level-change",
            change.place,
            change_text(&change.name),
            format!(
                "declare memory = {{ {} = … }} to keep it for each agent, or make it local to the function",
                change.name
            ),
        );
    }
}

/// What is said of a changed file-level variable.
pub(super) fn change_text(name: &str) -> String {
    format!(
        "`{name}` belongs to the whole file and is changed inside a function: the change would be lost by a reload and differ from thread to thread"
    )
}

/// The sources as this unit sees them.
fn seen_by(sources: &Sources, file: &str, source: &Source, modules: &BTreeMap<String, Source>) -> Sources {
    let mut seen = sources.clone();
    seen.files.insert(file.to_owned(), source.clone());
    with_modules(seen, modules)
}

fn with_modules(mut sources: Sources, modules: &BTreeMap<String, Source>) -> Sources {
    sources.files.extend(modules.iter().map(|(path, source)| (path.clone(), source.clone())));
    sources
}
