//! Plain values between Luau and Rust: vectors are f32 there and f64 here, converted at this border only.

use glam::DVec3;
use mlua::{Lua, Table, Value as Lv, Vector};

use crate::steer::param::Value;

/// A vector as Luau holds it.
pub fn vector(v: DVec3) -> Vector {
    let v = v.as_vec3();
    Vector::new(v.x, v.y, v.z)
}

/// A vector as the core holds it.
pub fn dvec3(v: Vector) -> DVec3 {
    DVec3::new(f64::from(v.x()), f64::from(v.y()), f64::from(v.z()))
}

/// A plain value for Luau.
pub fn to_lua(lua: &Lua, value: &Value) -> mlua::Result<Lv> {
    Ok(match value {
        Value::Number(number) => Lv::Number(*number),
        Value::Bool(flag) => Lv::Boolean(*flag),
        Value::Vector(v) => Lv::Vector(vector(*v)),
        Value::Text(text) => Lv::String(lua.create_string(text)?),
    })
}

/// A plain value from Luau; none for anything else.
pub fn from_lua(value: &Lv) -> Option<Value> {
    Some(match value {
        Lv::Number(number) => Value::Number(*number),
        Lv::Integer(number) => Value::Number(*number as f64),
        Lv::Boolean(flag) => Value::Bool(*flag),
        Lv::Vector(v) => Value::Vector(dvec3(*v)),
        Lv::String(text) => Value::Text(text.to_string_lossy()),
        _ => return None,
    })
}

/// A number from Luau, whole or not.
pub fn number(value: &Lv) -> Option<f64> {
    from_lua(value)?.number()
}

/// Named plain values of a table, in name order; others are left out and named.
pub fn named(table: &Table) -> (Vec<(String, Value)>, Vec<String>) {
    let (mut values, mut others) = (Vec::new(), Vec::new());
    for (key, value) in table.pairs::<Lv, Lv>().filter_map(Result::ok) {
        let key = key.to_string().unwrap_or_default();
        match from_lua(&value) {
            Some(value) => values.push((key, value)),
            None => others.push(key),
        }
    }
    values.sort_by(|a, b| a.0.cmp(&b.0));
    others.sort();
    (values, others)
}
