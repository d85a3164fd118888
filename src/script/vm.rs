//! One Luau machine: what a script may see, sandboxed, with limits on time and memory.
//!
//! A fresh one is made for every load: native code is never given back inside a machine, and nothing old can linger.

use std::time::Duration;

use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Function, Lua, MultiValue, Table, Value};

use super::api;
use super::watchdog::{Running, Watchdog};
use crate::scene::problem::Problem;

/// Bytes that the scripts of a machine may hold.
pub const MEMORY_LIMIT: usize = 256 << 20;

/// Time that one file may take to load: plenty for tables, and short enough to wait for.
pub const LOAD_BUDGET: Duration = Duration::from_millis(400);

/// A machine. It stays on the thread that made it.
pub struct Vm {
    // Declared first: the watchdog must be gone before the machine is.
    watchdog: Watchdog,
    lua: Lua,
    env: Table,
}

/// The environment as app data, for `require`.
pub(super) struct Env(pub(super) Table);

/// Globals that scripts do not get: they open files, leave the sandbox, or make runs differ.
const REMOVED: [&str; 12] = [
    "collectgarbage",
    "debug",
    "gcinfo",
    "getfenv",
    "integer",
    "io",
    "loadstring",
    "newproxy",
    "os",
    "package",
    "rawset",
    "setfenv",
];

/// What [`Vm::self_check`] times.
const SELF_CHECK: &str = "\
local data, n = ...
local sum = 0.0
for i = 0, n - 1 do
  local x = buffer.readf64(data, i * 8)
  sum += math.sqrt(x * x + 1.0) * 0.5
  buffer.writef64(data, i * 8, sum)
end
";

/// Libraries that say so when asked for something they lack.
const LIBRARIES: [&str; 8] = ["bit32", "buffer", "coroutine", "math", "string", "table", "utf8", "vector"];

/// Wraps the libraries' metatables and makes the environment; runs once per machine, before the sandbox closes.
const PRELUDE: &str = r##"
local refuse, libraries, globals, did_you_mean = ...
local function erring(name, library)
  return setmetatable(library, { __metatable = "locked", __index = function(_, key)
    refuse(`{name} has no \`{tostring(key)}\`{did_you_mean(library, key)}`)
  end })
end
-- Addresses differ from run to run, so nobody gets to see one.
local plain, format, metatable, make = tostring, string.format, getmetatable, setmetatable
local hidden = { table = true, ["function"] = true, thread = true, buffer = true }
local function shown(value)
  local kind = type(value)
  if not hidden[kind] then return plain(value) end
  local meta = metatable(value)
  return if type(meta) == "table" and rawget(meta, "__tostring") ~= nil then plain(value) else kind
end
globals.tostring = function(...)
  if select("#", ...) == 0 then refuse("tostring needs a value") end
  return shown((...))
end
libraries.string.format = function(pattern, ...)
  local values = table.pack(...)
  for i = 1, values.n do
    if hidden[type(values[i])] then values[i] = shown(values[i]) end
  end
  local ok, text = pcall(format, pattern, table.unpack(values, 1, values.n))
  if not ok then refuse(plain(text)) end
  return text
end
-- What a weak table still holds depends on when memory is freed.
globals.setmetatable = function(target, meta)
  if type(meta) == "table" and rawget(meta, "__mode") ~= nil then
    refuse("weak tables (`__mode`) forget at the whim of the memory, so no two runs would be the same")
  end
  if type(target) ~= "table" then refuse(`setmetatable takes a table first, got {type(target)}`) end
  if type(meta) ~= "table" and meta ~= nil then refuse(`setmetatable takes a table or nil second, got {type(meta)}`) end
  return make(target, meta)
end
for name, library in libraries do erring(name, library) end
return erring
"##;

impl Vm {
    /// A machine with the whole interface of [`api`] and no script in it.
    ///
    /// # Errors
    /// When Luau cannot be set up, which is a fault of this program.
    pub fn new() -> mlua::Result<Self> {
        let lua = Lua::new();
        lua.set_memory_limit(MEMORY_LIMIT)?;
        // `yard.time` changes with every tick, so it must not be read once at load as fields of other libraries are.
        lua.set_compiler(
            Compiler::new()
                .set_optimization_level(1)
                .set_debug_level(1)
                .set_type_info_level(1)
                // These are wrapped: the built-in ones would be called all the same.
                .add_disabled_builtin("setmetatable")
                .add_disabled_builtin("tostring")
                .add_mutable_global("yard"),
        );
        let globals = lua.globals();
        for name in REMOVED {
            globals.raw_set(name, Value::Nil)?;
        }
        let math: Table = globals.raw_get("math")?;
        math.raw_set("randomseed", Value::Nil)?;
        math.raw_set("random", Value::Nil)?;
        let yard = lua.create_table()?;
        api::install(&lua, &yard)?;
        globals.raw_set("yard", &yard)?;
        super::require::install(&lua)?;
        lock_libraries(&lua, &globals, &yard)?;
        let env = environment(&lua, &globals)?;
        lua.sandbox(true)?;
        env.set_safeenv(true);
        lua.set_app_data(Env(env.clone()));
        // Native code only for what runs per tick: compiling it costs ten times the load.
        lua.enable_jit(false);
        let watchdog = Watchdog::new(&lua)?;
        if let Some(kit) = lua.app_data_ref::<super::runtime::bridge::Kit>() {
            watchdog.follow(&lua, &kit.context.borrow().cur)?;
        }
        Ok(Self { watchdog, lua, env })
    }

    /// The machine itself.
    pub fn lua(&self) -> &Lua {
        &self.lua
    }

    /// The environment that scripts run in: globals with good errors, and nothing to write to.
    pub fn env(&self) -> &Table {
        &self.env
    }

    /// Starts the clock for the scripts that run while the result lives.
    pub fn guard(&self, budget: Duration) -> Running<'_> {
        self.watchdog.arm(budget)
    }

    /// Compiles a text. `native` is for what runs per tick.
    ///
    /// # Errors
    /// The syntax error, with the chunk's name and line.
    pub fn compile(&self, name: &str, text: &str, native: bool) -> mlua::Result<Function> {
        self.lua.enable_jit(native);
        let chunk = self.lua.load(text).set_name(format!("={name}")).set_mode(ChunkMode::Text);
        let function = chunk.set_environment(self.env.clone()).into_function();
        self.lua.enable_jit(false);
        function
    }

    /// Times a loop over a buffer with and without native code and warns when that makes no difference: then scripts run several
    /// times slower than they could (no code generator for this processor, or an environment that is not safe).
    pub fn self_check(&self) -> Option<Problem> {
        let fastest = |native: bool| {
            let function = self.compile("self check", SELF_CHECK, native).ok()?;
            let data = self.lua.create_buffer(vec![0_u8; 8 * 2000]).ok()?;
            let run = || {
                let time = super::watchdog::Since::now();
                self.call::<()>(&function, (&data, 2000), LOAD_BUDGET).ok()?;
                Some(time.elapsed())
            };
            (0..8).filter_map(|_| run()).min()
        };
        let (plain, native) = (fastest(false)?, fastest(true)?);
        let slow = native * 3 > plain * 2;
        slow.then(|| {
            let message =
                format!("native code for scripts makes no difference here ({plain:?} without, {native:?} with)");
            Problem::warning("no-native-code", message).hint("scripts run, but several times slower than they could")
        })
    }

    /// Calls a function under a time budget; after a lack of memory the garbage is collected so that the machine stays usable.
    ///
    /// # Errors
    /// Whatever the script raised, or that it ran over its time.
    pub fn call<R: mlua::FromLuaMulti>(
        &self,
        function: &Function,
        args: impl mlua::IntoLuaMulti,
        budget: Duration,
    ) -> mlua::Result<R> {
        let running = self.guard(budget);
        let result = function.call::<MultiValue>(args);
        drop(running);
        let result = result.and_then(|values| R::from_lua_multi(values, &self.lua));
        if let Err(error) = &result {
            self.recover(error);
        }
        result
    }

    /// Collects the garbage after a lack of memory; without it even small things fail.
    pub fn recover(&self, error: &mlua::Error) {
        let short = matches!(error, mlua::Error::MemoryError(_)) || error.to_string().contains("not enough memory");
        if short && self.lua.gc_collect().is_err() {
            // A second try frees what the first one's failure left; if it fails too, the next load makes a new machine.
            drop(self.lua.gc_collect());
        }
    }
}

fn lock_libraries(lua: &Lua, globals: &Table, yard: &Table) -> mlua::Result<()> {
    let libraries = lua.create_table()?;
    for name in LIBRARIES {
        if let Value::Table(library) = globals.raw_get::<Value>(name)? {
            libraries.raw_set(name, library)?;
        }
    }
    libraries.raw_set("yard", yard)?;
    for name in ["steer", "desired", "draw"] {
        if let Value::Table(part) = yard.raw_get::<Value>(name)? {
            libraries.raw_set(format!("yard.{name}"), part)?;
        }
    }
    let refuse = api::refuse(lua)?;
    let near = lua.create_function(|_, (library, key): (Table, Value)| {
        let names: Vec<String> =
            library.pairs::<String, Value>().filter_map(Result::ok).map(|(name, _)| name).collect();
        let Value::String(key) = key else { return Ok(String::new()) };
        Ok(crate::steer::nearest::did_you_mean(&key.to_string_lossy(), names.iter().map(String::as_str)))
    })?;
    lua.load(PRELUDE).set_name("=host").set_mode(ChunkMode::Text).call::<Function>((
        refuse,
        libraries,
        globals.clone(),
        near,
    ))?;
    Ok(())
}

/// A read-only copy of the globals: reading an unknown name and writing any name is refused with advice.
fn environment(lua: &Lua, globals: &Table) -> mlua::Result<Table> {
    let known = globals.clone();
    let read = lua.create_function(move |lua, (_, name): (Value, Value)| -> mlua::Result<Value> {
        Err(api::error_at_caller(lua, &unknown_global(&known, &text_of(&name))))
    })?;
    let write = lua.create_function(|lua, (_, name, _): (Value, Value, Value)| -> mlua::Result<()> {
        let name = text_of(&name);
        let message = format!(
            "`{name} = …` makes a global; write `local {name}`, or declare memory = {{ {name} = 0 }} to keep it for each agent"
        );
        Err(api::error_at_caller(lua, &message))
    })?;
    let env = lua.create_table()?;
    for pair in globals.pairs::<Value, Value>() {
        let (name, value) = pair?;
        env.raw_set(name, value)?;
    }
    env.raw_set("_G", Value::Nil)?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", read)?;
    meta.raw_set("__newindex", write)?;
    meta.raw_set("__metatable", "locked")?;
    env.set_metatable(Some(meta))?;
    env.set_readonly(true);
    Ok(env)
}

fn text_of(value: &Value) -> String {
    value.to_string().unwrap_or_else(|_| "?".to_owned())
}

fn unknown_global(globals: &Table, name: &str) -> String {
    if let Some(advice) = MISSING.iter().find(|(known, _)| *known == name).map(|(_, advice)| advice) {
        return format!("no global `{name}`: {advice}");
    }
    let names: Vec<String> = globals.pairs::<String, Value>().filter_map(Result::ok).map(|(name, _)| name).collect();
    let near = crate::steer::nearest::did_you_mean(name, names.iter().map(String::as_str));
    format!("no global `{name}`{near}")
}

/// Names that people bring from elsewhere, and what they want here.
const MISSING: [(&str, &str); 14] = [
    ("wait", "nothing can wait inside a tick; use `after` in a transition or yard.every(seconds)"),
    ("sleep", "nothing can wait inside a tick; use `after` in a transition or yard.every(seconds)"),
    ("task", "nothing can wait inside a tick; use `after` in a transition or yard.every(seconds)"),
    ("delay", "nothing can wait inside a tick; use `after` in a transition or yard.every(seconds)"),
    ("os", "a run must not depend on the clock of the machine; yard.time is the simulated time"),
    ("io", "scripts read and write no files; use yard.log or yard.plot"),
    ("debug", "it would open the sandbox; use yard.log"),
    ("dofile", "scripts read no files; use require"),
    ("loadfile", "scripts read no files; use require"),
    ("load", "scripts are text files; use require"),
    ("loadstring", "scripts are text files; use require"),
    ("rawset", "tables of the host are read-only"),
    ("agent", "a callback gets its agent as first argument: step = function(agent, p)"),
    ("self", "a callback gets its agent as first argument: step = function(agent, p)"),
];
