//! The six constructors: `yard.force`, `yard.behavior`, `yard.machine`, `yard.formation`, `yard.metric`, `yard.director`.
//!
//! A constructor marks its table with the kind and gives it back; reading it is the loader's work.

use mlua::{Lua, Table, Value};

/// What a file can define.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// One push on an agent.
    Force,
    /// A blend of forces and own code.
    Behavior,
    /// Behaviors as states.
    Machine,
    /// Where the places are.
    Formation,
    /// A number worth plotting.
    Metric,
    /// What happens in the scene.
    Director,
}

impl Kind {
    /// All kinds, in the order of the manual.
    pub const ALL: [Self; 6] =
        [Self::Force, Self::Behavior, Self::Machine, Self::Formation, Self::Metric, Self::Director];

    /// The word after `yard.`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Force => "force",
            Self::Behavior => "behavior",
            Self::Machine => "machine",
            Self::Formation => "formation",
            Self::Metric => "metric",
            Self::Director => "director",
        }
    }

    /// The name space it shares: behaviors and machines are one.
    pub fn space(self) -> &'static str {
        if self == Self::Machine { "behavior" } else { self.word() }
    }
}

/// The marks, kept with the machine.
struct Marks(Vec<(Kind, Table)>);

/// Puts the constructors into `yard`.
///
/// # Errors
/// When Luau cannot be set up.
pub fn install(lua: &Lua, yard: &Table) -> mlua::Result<()> {
    let mut marks = Vec::new();
    for kind in Kind::ALL {
        let mark = lua.create_table()?;
        mark.raw_set("__metatable", format!("yard.{}", kind.word()))?;
        let given = mark.clone();
        let constructor = lua.create_function(move |lua, def: Value| construct(lua, kind, &given, def))?;
        yard.raw_set(kind.word(), constructor)?;
        marks.push((kind, mark));
    }
    lua.set_app_data(Marks(marks));
    Ok(())
}

fn construct(lua: &Lua, kind: Kind, mark: &Table, def: Value) -> mlua::Result<Table> {
    let word = kind.word();
    let Value::Table(def) = def else {
        let message = format!(
            "yard.{word} takes one table: yard.{word} {{ … }}, got {}",
            crate::script::define::fields::kind_word(&def)
        );
        return Err(super::error_at_caller(lua, &message));
    };
    if def.metatable().is_some() {
        return Err(super::error_at_caller(lua, &format!("yard.{word} got a table that is a definition already")));
    }
    def.set_metatable(Some(mark.clone()))?;
    Ok(def)
}

/// The kind that a constructor gave this table.
pub fn kind_of(lua: &Lua, def: &Table) -> Option<Kind> {
    let meta = def.metatable()?;
    let marks = lua.app_data_ref::<Marks>()?;
    marks.0.iter().find(|(_, mark)| *mark == meta).map(|(kind, _)| *kind)
}
