//! Native equals Lua: every native formation has a twin in `scripts/` that sets the same places.

use std::path::Path;

use mlua::{Function, Table};
use swarmyard::formation::{Domain, Measure, NATIVES, Overflow, Spacing, place_source, slots};
use swarmyard::script::define::Definition;
use swarmyard::script::host::Host;
use swarmyard::script::reload::Live;
use swarmyard::steer::param::{ParamSpec, Value};

use crate::support::options;

/// x, y, z, heading.
type Places = Vec<[f64; 4]>;

fn parameters(live: &Live, params: &[ParamSpec]) -> Table {
    let p = live.vm.lua().create_table().expect("a table");
    for spec in params {
        match &spec.default {
            Value::Number(number) => p.set(spec.name.as_str(), *number).expect("set"),
            Value::Text(text) => p.set(spec.name.as_str(), text.as_str()).expect("set"),
            other => panic!("{other:?}"),
        }
    }
    p
}

fn scripted(live: &Live, name: &str, n: usize) -> Places {
    let loaded = &live.files[&format!("scripts/formations/{name}.luau")];
    let Definition::Formation(def) = &loaded.definition else { panic!("{name} is no formation") };
    let p = parameters(live, &def.params);
    if !def.curve {
        let make: Function = loaded.table.raw_get("slots").expect("a function");
        let list: Vec<Table> = make.call((n, p)).expect("places");
        let number = |table: &Table, key: usize| table.raw_get::<f64>(key).expect("a number");
        return list
            .iter()
            .map(|at| {
                let z = at.raw_get::<Option<f64>>(3).expect("a number or nothing").unwrap_or(0.0);
                [number(at, 1), number(at, 2), z, at.raw_get("heading").expect("a heading")]
            })
            .collect();
    }
    let curve: Function = loaded.table.raw_get("curve").expect("a function");
    let range = def.range.then(|| {
        let range: Function = loaded.table.raw_get("range").expect("a function");
        range.call::<(f64, f64)>(p.clone()).expect("two numbers")
    });
    let spacing =
        Spacing { distance: p.get("spacing").expect("a number"), measure: Measure::Arc, overflow: Overflow::Error };
    let mut source = |points: &[f64], out: &mut Vec<glam::DVec3>| {
        for s in points {
            let answer = curve.call::<(f64, f64, Option<f64>)>((*s, &p, 0.0));
            let (x, y, z) = answer.map_err(|error| error.to_string())?;
            out.push(glam::DVec3::new(x, y, z.unwrap_or(0.0)));
        }
        Ok(())
    };
    let made = place_source(&mut source, Domain { range, closed: def.closed }, &spacing, n).expect("places");
    made.places.iter().map(|place| [place.position.x, place.position.y, place.position.z, place.heading]).collect()
}

#[test]
fn every_native_formation_has_a_twin_that_agrees_to_a_micrometer() {
    let host = Host::open(Path::new(env!("CARGO_MANIFEST_DIR")), options()).expect("a worker starts");
    for native in NATIVES {
        for n in [0, 1, 2, 7, 18] {
            let twin = format!("{}_lua", native.name);
            let places = host.call(move |live| scripted(live, &twin, n)).expect("an answer");
            let wanted = slots(native.name, &[], n).expect("places");
            assert_eq!(places.len(), wanted.places.len(), "{} {n}", native.name);
            for (got, want) in places.iter().zip(&wanted.places) {
                let off = glam::DVec3::new(got[0], got[1], got[2]).distance(want.position);
                assert!(off < 1e-6, "{} {n}: {off} m off at {got:?}", native.name);
                let turn = swarmyard::sim::wrap_angle(got[3] - want.heading);
                assert!(turn.abs() < 1e-6, "{} {n}: heading {} for {}", native.name, got[3], want.heading);
            }
        }
    }
}
