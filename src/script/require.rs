//! `require`: modules below a `lib/` folder of the same root, looked up in the texts of the load and nowhere else.
//!
//! No path can leave the root because nothing here opens a file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mlua::{Lua, Value};

use super::api;
use super::sources::{Source, Sources, is_below, is_module};
use super::text::lint;
use crate::steer::nearest::did_you_mean;

/// Modules deeper than this in a chain of requires are refused.
const DEEPEST: usize = 60;

/// What `require` knows while files load; kept as app data of the machine.
#[derive(Default)]
pub struct Loading {
    /// All texts.
    pub sources: Arc<Sources>,
    /// Texts that stand in for those of the same path while the current unit loads: its last good modules.
    pub overlay: BTreeMap<String, Source>,
    /// Files being evaluated, outermost first.
    pub stack: Vec<String>,
    /// Modules that the current unit has used, directly or through others.
    pub used: BTreeMap<String, Source>,
    /// Whether modules are compiled to native code.
    pub native: bool,
    /// Modules already evaluated, by path and hash.
    cache: BTreeMap<(String, u64), Module>,
}

#[derive(Clone)]
struct Module {
    value: Value,
    uses: BTreeSet<String>,
}

impl Loading {
    /// Begins the load of one file with the given stand-ins for its modules.
    pub fn begin(&mut self, file: &str, overlay: BTreeMap<String, Source>) {
        self.overlay = overlay;
        self.stack = vec![file.to_owned()];
        self.used = BTreeMap::new();
    }

    /// Ends it and gives the modules that it used. From here on `require` is refused.
    pub fn end(&mut self) -> BTreeMap<String, Source> {
        self.stack.clear();
        self.overlay.clear();
        std::mem::take(&mut self.used)
    }

    fn source(&self, path: &str) -> Option<Source> {
        self.overlay.get(path).or_else(|| self.sources.files.get(path)).cloned()
    }

    fn has(&self, path: &str) -> bool {
        self.overlay.contains_key(path) || self.sources.files.contains_key(path)
    }

    /// The file that a name means for the file `from`.
    fn resolve(&self, from: &str, name: &str) -> Result<String, String> {
        let Some(root) = self.sources.root_of(from) else {
            return Err("require works in script files only".to_owned());
        };
        if name.starts_with('/') || name.contains('\\') || name.contains(':') || name.starts_with('~') {
            return Err(format!(
                "require(\"{name}\"): a path from the top of the disk is refused; modules lie below {}/",
                root.folder
            ));
        }
        let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        if parts.contains(&"..") {
            return Err(format!("require(\"{name}\") is refused: `..` could leave {}/", root.folder));
        }
        let relative = parts.join("/");
        let here = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let bases = if name.starts_with("./") {
            vec![here.to_owned()]
        } else {
            ["", "/scripts", "/lib", "/scripts/lib"].iter().map(|below| format!("{}{below}", root.folder)).collect()
        };
        let endings = ["", ".luau", ".lua", "/init.luau"];
        let found = bases.iter().find_map(|base| {
            let path = format!("{base}/{relative}");
            endings.iter().map(|ending| format!("{path}{ending}")).find(|path| self.has(path))
        });
        match found {
            Some(path) if !is_module(&path) => Err(format!(
                "require(\"{name}\"): {path} is a definition, not a module; put shared code into a folder lib/"
            )),
            Some(path) => Ok(path),
            None => {
                let prefix = format!("{}/", root.folder);
                let modules: Vec<String> = self
                    .sources
                    .files
                    .keys()
                    .filter(|path| is_module(path) && is_below(path, &root.folder))
                    .map(|path| {
                        path.trim_start_matches(&prefix).trim_end_matches(".luau").trim_end_matches(".lua").to_owned()
                    })
                    .collect();
                let near = did_you_mean(&relative, modules.iter().map(String::as_str));
                Err(format!("require(\"{name}\") finds no module below {}/{near}", root.folder))
            }
        }
    }
}

/// Puts `require` among the globals.
///
/// # Errors
/// When Luau cannot be set up.
pub fn install(lua: &Lua) -> mlua::Result<()> {
    lua.set_app_data(Loading::default());
    let require = lua.create_function(|lua, name: Value| {
        let Value::String(name) = name else {
            return Err(api::error_at_caller(
                lua,
                &format!("require takes the path of a module, got {}", crate::script::define::fields::kind_word(&name)),
            ));
        };
        require(lua, &name.to_string_lossy())
    })?;
    lua.globals().raw_set("require", require)
}

fn require(lua: &Lua, name: &str) -> mlua::Result<Value> {
    let refuse = |message: String| api::error_at_caller(lua, &message);
    let from = caller_file(lua);
    let (path, source) = {
        let Some(loading) = lua.app_data_ref::<Loading>() else {
            return Err(refuse("require is not set up".to_owned()));
        };
        let Some(top) = loading.stack.last() else {
            return Err(refuse("require works while a file loads; put it at the top of the file".to_owned()));
        };
        let from = from.filter(|file| loading.has(file)).unwrap_or_else(|| top.clone());
        let path = loading.resolve(&from, name).map_err(refuse)?;
        if loading.stack.contains(&path) {
            return Err(refuse(format!("require goes in a circle: {} → {path}", loading.stack.join(" → "))));
        }
        if loading.stack.len() > DEEPEST {
            return Err(refuse(format!("more than {DEEPEST} modules require each other")));
        }
        let Some(source) = loading.source(&path) else { return Err(refuse(format!("{path} is gone"))) };
        (path, source)
    };
    if let Some(module) = cached(lua, &path, &source) {
        return Ok(module);
    }
    let value = evaluate(lua, &path, &source)?;
    Ok(value)
}

fn caller_file(lua: &Lua) -> Option<String> {
    let place = api::caller(lua);
    place.trim_end_matches(": ").rsplit_once(':').map(|(file, _)| file.to_owned())
}

/// A module evaluated before in this machine; what it uses counts for the current unit too.
fn cached(lua: &Lua, path: &str, source: &Source) -> Option<Value> {
    let mut loading = lua.app_data_mut::<Loading>()?;
    let module = loading.cache.get(&(path.to_owned(), source.hash))?.clone();
    // A module that pulls in another text than it was evaluated with must be evaluated anew.
    let fresh = module
        .uses
        .iter()
        .all(|used| loading.source(used).is_some_and(|s| loading.cache.contains_key(&(used.clone(), s.hash))));
    if !fresh {
        return None;
    }
    for used in module.uses.iter().chain(std::iter::once(&path.to_owned())) {
        if let Some(source) = loading.source(used) {
            loading.used.insert(used.clone(), source);
        }
    }
    Some(module.value)
}

fn evaluate(lua: &Lua, path: &str, source: &Source) -> mlua::Result<Value> {
    let (native, before) = match lua.app_data_mut::<Loading>() {
        Some(mut loading) => {
            loading.stack.push(path.to_owned());
            // A module counts as used from here on, so that a broken one is known to belong to the unit.
            loading.used.insert(path.to_owned(), source.clone());
            (loading.native, std::mem::take(&mut loading.used))
        }
        None => (false, BTreeMap::new()),
    };
    let result = run(lua, path, source, native);
    let Some(mut loading) = lua.app_data_mut::<Loading>() else { return result };
    loading.stack.pop();
    let inner = std::mem::take(&mut loading.used);
    let uses = inner.keys().cloned().collect();
    loading.used = before;
    loading.used.extend(inner);
    let value = result?;
    loading.cache.insert((path.to_owned(), source.hash), Module { value: value.clone(), uses });
    Ok(value)
}

fn run(lua: &Lua, path: &str, source: &Source, native: bool) -> mlua::Result<Value> {
    if let Some(change) = lint::file_level_changes(&source.text).first() {
        return Err(mlua::Error::RuntimeError(format!(
            "{path}:{}: {}",
            change.place.line,
            super::load::change_text(&change.name)
        )));
    }
    lua.enable_jit(native);
    let env = lua.app_data_ref::<super::vm::Env>().map(|env| env.0.clone());
    let mut chunk = lua.load(&*source.text).set_name(format!("={path}")).set_mode(mlua::chunk::ChunkMode::Text);
    if let Some(env) = env {
        chunk = chunk.set_environment(env);
    }
    let function = chunk.into_function();
    lua.enable_jit(false);
    let values: mlua::MultiValue = function?.call(())?;
    match (values.len(), values.into_iter().next()) {
        (1, Some(value)) if !value.is_nil() => {
            freeze(&value, 0);
            Ok(value)
        }
        _ => Err(mlua::Error::RuntimeError(format!("{path}:1: a module returns one value: return {{ … }}"))),
    }
}

/// Modules are shared by files and machines, so nobody may change one.
fn freeze(value: &Value, depth: usize) {
    let Value::Table(table) = value else { return };
    if depth > 8 || table.is_readonly() {
        return;
    }
    let inner: Vec<Value> = table.pairs::<Value, Value>().filter_map(Result::ok).map(|(_, value)| value).collect();
    table.set_readonly(true);
    for value in &inner {
        freeze(value, depth + 1);
    }
}
