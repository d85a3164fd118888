//! Projects of a few lines, and a short way to what is wrong with them.

use swarmyard::machine::catalogue::ForceInfo;
use swarmyard::scene::problem::Problem;
use swarmyard::script::host::{Host, HostOptions};
use swarmyard::script::library::Natives;
use swarmyard::script::sources::Sources;
use swarmyard::steer::param::ParamSpec;

fn force(name: &str, unit: &str, params: Vec<ParamSpec>) -> ForceInfo {
    ForceInfo {
        name: name.to_owned(),
        about: String::new(),
        unit: unit.to_owned(),
        scripted: false,
        params,
        memory: Vec::new(),
    }
}

/// A handful of native forces with the parameters that the examples name.
pub fn natives() -> Natives {
    let radius = || ParamSpec::number("radius", 3.0, (0.0, 50.0), "m", "");
    let half_angle = || ParamSpec::number("half_angle", 3.15, (0.0, 3.15), "rad", "");
    let mut natives = Natives::default();
    for name in ["separation", "alignment", "cohesion"] {
        natives.catalogue.add_force(force(name, "m/s2", vec![radius(), half_angle()]));
    }
    natives.catalogue.add_force(force("obstacle", "m/s2", vec![ParamSpec::number("range", 5.0, (0.0, 50.0), "m", "")]));
    natives.catalogue.add_force(force("seek_slot", "m/s2", Vec::new()));
    natives.catalogue.add_force(force("soft_wall", "m/s2", Vec::new()));
    natives.catalogue.add_force(force("wander", "m/s2", Vec::new()));
    natives.catalogue.add_force(force("follow_leader", "m/s2", Vec::new()));
    natives.catalogue.add_force(force("arrive", "m/s2", vec![ParamSpec::new("target", glam::DVec3::ZERO)]));
    natives.catalogue.add_force(force("flee", "m/s2", vec![ParamSpec::group("from", "any", ""), radius()]));
    let gains = ["k1", "kd", "k2", "k3", "windup"].map(|name| ParamSpec::number(name, 1.0, (0.0, 6.0), "1/s", ""));
    natives.catalogue.add_force(force("track_slot", "m/s", gains.to_vec()));
    natives
}

pub fn options() -> HostOptions {
    HostOptions { natives: natives(), ..HostOptions::default() }
}

pub fn open(texts: &[(&str, &str)]) -> Host {
    Host::open_texts(Sources::from_texts(texts.iter().copied()), options()).expect("a worker starts")
}

/// What is wrong with one behavior file.
pub fn problems(text: &str) -> Vec<Problem> {
    open(&[("scripts/behaviors/shy.luau", text)]).problems().to_vec()
}

/// The only problem of one behavior file, as a person reads it.
pub fn only(text: &str) -> String {
    let problems = problems(text);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems[0].to_string().replace("scripts/behaviors/", "")
}
