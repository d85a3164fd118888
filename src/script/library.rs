//! All definitions of one load, put together: unique names, resolved programs, what lists and scenes ask for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::api::define::Kind;
use super::define::Definition;
use super::load::{self, LoadedFile, Unit};
use super::sources::Sources;
use super::vm::Vm;
use crate::machine::catalogue::Catalogue;
use crate::machine::finding::{Finding, Weight};
use crate::machine::flatten::flatten;
use crate::machine::program::Program;
use crate::scene::problem::Problem;

/// Names and definitions that are built in: scripts may use them and must not take their names.
#[derive(Clone, Debug, Default)]
pub struct Natives {
    /// Forces, behaviors and machines.
    pub catalogue: Catalogue,
    /// Names of formations.
    pub formations: BTreeSet<String>,
    /// Names of metrics.
    pub metrics: BTreeSet<String>,
}

impl Natives {
    /// Everything that this program has built in.
    pub fn built_in() -> Self {
        Self {
            catalogue: crate::machine::catalogue::native(),
            formations: crate::formation::NATIVES.iter().map(|native| native.name.to_owned()).collect(),
            metrics: crate::measure::Metric::ALL.iter().map(|metric| metric.id().to_owned()).collect(),
        }
    }

    fn has(&self, space: &str, name: &str) -> bool {
        match space {
            "force" => self.catalogue.forces.contains_key(name),
            "behavior" => self.catalogue.behaviors.contains_key(name),
            "formation" => self.formations.contains(name),
            "metric" => self.metrics.contains(name),
            _ => false,
        }
    }
}

/// One scripted definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Which constructor made it.
    pub kind: Kind,
    /// Name, unique per kind.
    pub name: String,
    /// File relative to the project.
    pub file: String,
    /// Hash of its text and modules.
    pub hash: u64,
    /// Version in effect, counted per file from 1; 0 until the load is taken over.
    pub version: u32,
    /// What it says.
    pub definition: Definition,
}

/// Everything a front end, a scene or a mind may ask about definitions. It holds no function and may be sent anywhere.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// Scripted definitions by kind and name.
    pub items: Vec<Item>,
    /// Forces, behaviors and machines, native and scripted together.
    pub catalogue: Catalogue,
    /// Runnable form of every behavior and machine, by name.
    pub programs: BTreeMap<String, Arc<Program>>,
    /// How many loads there were before this one took over.
    pub generation: u64,
}

impl Library {
    /// The scripted definition of a name within the name space of `kind`.
    pub fn find(&self, kind: Kind, name: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.kind.space() == kind.space() && item.name == name)
    }

    /// The definition that a file made.
    pub fn of_file(&self, file: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.file == file)
    }

    /// The runnable form of a behavior or machine, native or scripted.
    pub fn program(&self, name: &str) -> Option<&Arc<Program>> {
        self.programs.get(name)
    }
}

/// One try to load everything.
pub struct Attempt {
    /// The machine that holds the functions.
    pub vm: Vm,
    /// Files that loaded, by path.
    pub files: BTreeMap<String, LoadedFile>,
    /// What they amount to. Files that failed are not in it.
    pub library: Library,
    /// Files that did not pass, with what is wrong. An empty list means: because of another file in `failures`.
    pub failures: BTreeMap<String, Vec<Problem>>,
    /// Warnings about files that passed.
    pub warnings: Vec<Problem>,
}

/// Loads the chosen texts into a fresh machine and puts them together.
///
/// # Errors
/// When Luau cannot be set up, which is a fault of this program.
pub fn attempt(
    sources: &Arc<Sources>,
    chosen: &BTreeMap<String, Unit>,
    natives: &Natives,
    native_code: bool,
) -> mlua::Result<Attempt> {
    let vm = Vm::new()?;
    load::begin(&vm, sources, native_code);
    let mut files = BTreeMap::new();
    let mut failures = BTreeMap::new();
    for (file, unit) in chosen {
        match load::load_file(&vm, sources, file, unit, native_code) {
            Ok(loaded) => drop(files.insert(file.clone(), loaded)),
            Err(problems) => drop(failures.insert(file.clone(), problems)),
        }
    }
    let mut attempt = Attempt { vm, files, library: Library::default(), failures, warnings: Vec::new() };
    attempt.refuse_twins(natives);
    attempt.put_together(natives, sources);
    Ok(attempt)
}

impl Attempt {
    fn fail(&mut self, file: &str, problems: Vec<Problem>) {
        self.files.remove(file);
        self.failures.entry(file.to_owned()).or_default().extend(problems);
    }

    /// Names are unique per kind, native and scripted together.
    fn refuse_twins(&mut self, natives: &Natives) {
        let mut owners: BTreeMap<(&'static str, String), String> = BTreeMap::new();
        let mut refused = Vec::new();
        for (file, loaded) in &self.files {
            let (space, name) = (loaded.definition.kind().space(), loaded.definition.name().to_owned());
            if natives.has(space, &name) {
                let message = format!("a native {space} is called `{name}` already");
                let problem = Problem::error("name-taken", message).in_file(file.clone());
                refused.push((file.clone(), problem.hint(format!("rename the file; a twin in Luau is `{name}_lua`"))));
                continue;
            }
            if let Some(owner) = owners.get(&(space, name.clone())) {
                let message = format!("{space} `{name}` is defined twice, here and in {owner}");
                refused.push((
                    file.clone(),
                    Problem::error("name-taken", message).in_file(file.clone()).hint("rename one of the files"),
                ));
                continue;
            }
            owners.insert((space, name), file.clone());
        }
        for (file, problem) in refused {
            self.fail(&file, vec![problem]);
        }
    }

    fn put_together(&mut self, natives: &Natives, sources: &Sources) {
        let mut catalogue = natives.catalogue.clone();
        for loaded in self.files.values() {
            match &loaded.definition {
                Definition::Force(def) => catalogue.add_force(def.info.clone()),
                Definition::Behavior(def) => catalogue.add_behavior(Arc::clone(def)),
                _ => {}
            }
        }
        let mut programs = BTreeMap::new();
        let mut findings = Vec::new();
        let mut broken = Vec::new();
        for (name, def) in &catalogue.behaviors {
            let (program, found) = flatten(def, &catalogue);
            match program {
                Some(program) => drop(programs.insert(name.clone(), Arc::new(program))),
                None => broken.push(name.clone()),
            }
            findings.extend(found);
        }
        self.report(findings, sources);
        for name in broken {
            let file = self.files.values().find(|loaded| is_behavior(loaded, &name)).map(|loaded| loaded.file.clone());
            if let Some(file) = file {
                self.fail(&file, Vec::new());
            }
        }
        let mut items: Vec<Item> = self.files.values().map(item).collect();
        items.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        self.library = Library { items, catalogue, programs, generation: 0 };
    }

    /// Findings as problems of the files they point into, each once.
    fn report(&mut self, findings: Vec<Finding>, sources: &Sources) {
        let mut seen: Vec<Finding> = Vec::new();
        for finding in findings {
            if seen.contains(&finding) {
                continue;
            }
            seen.push(finding.clone());
            let owner = self.files.values().find(|loaded| is_behavior(loaded, &finding.definition));
            let file = owner.map(|loaded| loaded.file.clone());
            let text = owner.and_then(|loaded| loaded.unit.source.clone()).map(|source| source.text);
            let text = text.or_else(|| {
                file.as_ref().and_then(|file| sources.files.get(file)).map(|source| Arc::clone(&source.text))
            });
            let problem = problem_of(&finding, file.as_deref(), text.as_deref());
            match file {
                Some(file) if finding.weight == Weight::Error => self.failures.entry(file).or_default().push(problem),
                _ => self.warnings.push(problem),
            }
        }
    }
}

fn is_behavior(loaded: &LoadedFile, name: &str) -> bool {
    matches!(&loaded.definition, Definition::Behavior(def) if def.name == name)
}

fn item(loaded: &LoadedFile) -> Item {
    Item {
        kind: loaded.definition.kind(),
        name: loaded.definition.name().to_owned(),
        file: loaded.file.clone(),
        hash: loaded.unit.hash(),
        version: 0,
        definition: loaded.definition.clone(),
    }
}

/// A finding as a problem, with excerpt where the text is at hand.
pub fn problem_of(finding: &Finding, file: Option<&str>, text: Option<&str>) -> Problem {
    let mut problem = match finding.weight {
        Weight::Error => Problem::error(finding.code, finding.message.clone()),
        Weight::Warning => Problem::warning(finding.code, finding.message.clone()),
    };
    problem = problem.maybe_hint(finding.hint.clone());
    if let Some(file) = file {
        problem = problem.in_file(file);
    }
    if finding.place.line > 0 {
        problem = problem.at(finding.place.line, finding.place.column.max(1));
    }
    match text {
        Some(text) => problem.with_source(text),
        None => problem,
    }
}
