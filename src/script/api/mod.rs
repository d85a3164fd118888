//! What stands in the global table `yard`, one thin file per noun.

use mlua::{Function, Lua, Table};

use super::sources::has_ending;

pub mod define;
pub mod fields;

/// Puts everything into `yard` (and into the libraries, where a function is replaced) before the sandbox closes.
///
/// # Errors
/// When Luau cannot be set up.
pub fn install(lua: &Lua, yard: &Table) -> mlua::Result<()> {
    define::install(lua, yard)?;
    super::runtime::bridge::install(lua, yard)?;
    lua.globals().raw_set("print", yard.raw_get::<Function>("log")?)
}

/// An error that names the script's line which made the call, as Luau's own errors do.
pub fn error_at_caller(lua: &Lua, message: &str) -> mlua::Error {
    mlua::Error::RuntimeError(format!("{}{message}", caller(lua)))
}

/// `file:line: ` of the innermost script function; empty outside of one.
pub fn caller(lua: &Lua) -> String {
    for level in 0..8 {
        let found = lua.inspect_stack(level, |frame| {
            let source = frame.source().short_src.map(|name| name.into_owned());
            source.zip(frame.current_line())
        });
        match found {
            None => break,
            Some(Some((source, line))) if has_ending(&source, &["luau", "lua"]) => {
                return format!("{source}:{line}: ");
            }
            Some(_) => {}
        }
    }
    String::new()
}

/// `refuse(message)`: raises with the place of the script that is to blame, for prelude code.
///
/// # Errors
/// When Luau cannot be set up.
pub fn refuse(lua: &Lua) -> mlua::Result<Function> {
    lua.create_function(|lua, message: String| -> mlua::Result<()> { Err(error_at_caller(lua, &message)) })
}
