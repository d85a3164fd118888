//! The shipped scripts load without a word, and say what their text says.

use std::path::Path;

use swarmyard::script::define::{Definition, Kind};
use swarmyard::script::host::Host;
use swarmyard::steer::param::{Choices, Value};

use crate::support::options;

fn shipped() -> Host {
    Host::open(Path::new(env!("CARGO_MANIFEST_DIR")), options()).expect("a worker starts")
}

#[test]
fn every_shipped_script_loads_without_a_problem() {
    let host = shipped();
    let texts: Vec<String> = host.problems().iter().map(|problem| problem.to_text()).collect();
    assert_eq!(texts, Vec::<String>::new());
    assert!(host.library().items.len() >= 17, "{}", host.library().items.len());
}

#[test]
fn parameters_keep_the_order_of_the_text() {
    let host = shipped();
    let fish = host.library().find(Kind::Machine, "fish").expect("fish is shipped");
    let names: Vec<&str> = fish.definition.params().iter().map(|param| param.name.as_str()).collect();
    assert_eq!(
        names,
        ["lengths", "cone", "threat", "food", "company", "fright", "calm", "cruise", "top", "variety", "slowest"]
    );
    assert_eq!(fish.definition.params()[2].choices, Choices::Groups);
    assert_eq!(fish.definition.about(), "A school that turns in waves, tires, and startles.");
}

#[test]
fn a_state_is_laid_over_its_machine_key_by_key() {
    let host = shipped();
    let program = host.library().program("soldier").expect("soldier is shipped");
    let leaf = &program.leaves[program.leaf("aligning").expect("a state")];
    let keys: Vec<&str> = leaf.terms.iter().map(|term| term.key.as_str()).collect();
    assert_eq!(keys, ["soft_wall", "track_slot"]);
    let addresses: Vec<&str> = program.sliders.iter().map(|slider| slider.address.as_str()).collect();
    for address in [
        "k1",
        "align",
        "soft_wall.weight",
        "track_slot.k2",
        "aligning.track_slot.k1",
        "idle.track_slot.weight",
        "stabilizing.track_slot.k3",
    ] {
        assert!(addresses.contains(&address), "{address} is missing in {addresses:?}");
    }
    assert!(program.bound.iter().any(|bound| bound.address == "track_slot.k1" && bound.follows == "memory.k1"));
    let slider = &program.sliders[program.slider("track_slot.k2").expect("a slider")];
    assert_eq!(slider.spec.default, Value::Number(4.0));
}

#[test]
fn nested_states_have_dotted_names_and_their_own_lines() {
    let host = shipped();
    let program = host.library().program("bird").expect("bird is shipped");
    let paths: Vec<&str> = program.leaves.iter().map(|leaf| leaf.path.as_str()).collect();
    assert_eq!(paths, ["calm.idle", "calm.wandering", "calm.following", "fleeing", "in_formation"]);
    assert_eq!(program.leaves[program.initial].path, "calm.idle");
    assert!(program.slider("calm.idle_to_wandering.after").is_some());
    assert!(program.events().contains("form_up"));
    let wandering = &program.leaves[1];
    assert_eq!(wandering.chain.len(), 3);
    assert_eq!(wandering.limits.len(), 1, "the machine's limit holds in every state");
}

#[test]
fn a_plugin_has_a_name_space_and_its_own_modules() {
    let host = shipped();
    assert!(host.library().find(Kind::Behavior, "fireflies/blinker").is_some());
    assert!(host.plugins().iter().any(|plugin| plugin.manifest.name == "fireflies" && !plugin.scenes.is_empty()));
}

#[test]
fn a_formation_that_takes_t_moves() {
    let host = shipped();
    let moving = |name: &str| match &host.library().find(Kind::Formation, name).expect("shipped").definition {
        Definition::Formation(def) => def.moving,
        other => panic!("{other:?}"),
    };
    assert!(moving("carousel"));
    assert!(!moving("s_wave_lua"));
}
