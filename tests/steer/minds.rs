//! Native minds: sliders, switches, contributions, faults, values from outside.

use crate::yard::{Yard, at, close};
use glam::DVec3;
use swarmyard::sim::{BodySpec, Control, Group, GroupId, Intents, Mind as _, SimCommand, Workers};
use swarmyard::steer::behavior::BEHAVIORS;
use swarmyard::steer::blend::{Bind, Term};
use swarmyard::steer::compiled::unit_refusal;
use swarmyard::steer::param::Value;
use swarmyard::steer::{Blends, Bound, LeafSpec, NativeMind, Origin, Source, TermSpec, force_named};

#[test]
fn every_native_behavior_builds_and_runs() {
    for behavior in BEHAVIORS {
        let mut yard = Yard::plain();
        let group = yard.behavior(behavior.name, BodySpec::default());
        for index in 0..5 {
            let id = yard.spawn(group, at(f64::from(index), 0.0), DVec3::ZERO);
            yard.place(id, index as u32, at(f64::from(index), 1.0), 0.0);
        }
        yard.run(30);
        assert!(yard.all_finite(), "{}", behavior.name);
        let mind = &yard.minds[0];
        for row in mind.params().rows() {
            assert!(mind.params().get(&row.address).is_some());
        }
    }
}

#[test]
fn sliders_have_addresses_ranges_and_origins() {
    let mut mind = NativeMind::of_terms(Control::Acceleration, &[Term::native("separation", 1.6)]).expect("native");
    assert_eq!(mind.params().get("separation.weight"), Some(&Value::Number(1.6)));
    assert_eq!(mind.set("separation.radius", 2.0.into(), Origin::Scene), Ok(true));
    assert_eq!(mind.set("separation.radius", 3.0.into(), Origin::User), Ok(true));
    assert_eq!(mind.set("separation.radius", 4.0.into(), Origin::Scene), Ok(false));
    assert_eq!(mind.params().get("separation.radius"), Some(&Value::Number(3.0)));
    let wrong = mind.set("separation.radus", 1.0.into(), Origin::User).expect_err("no such parameter").to_string();
    assert!(wrong.contains("separation.radius"), "{wrong}");
    assert!(mind.set("separation.radius", f64::NAN.into(), Origin::User).is_err());
    assert!(mind.set("separation.radius", Value::Bool(true), Origin::User).is_err());
    assert!(mind.reset("separation.radius"));
    assert_eq!(mind.params().get("separation.radius"), Some(&Value::Number(1.5)));
}

#[test]
fn a_controller_under_acceleration_is_refused_with_the_way_out() {
    let force = force_named("track_slot").expect("registered");
    assert_eq!(
        unit_refusal(force, Control::Acceleration, "moving").as_deref(),
        Some(
            "track_slot yields a velocity (m/s), but state `moving` is controlled by acceleration; add control = \"velocity\""
        )
    );
    assert_eq!(unit_refusal(force, Control::Velocity, "moving"), None);
    let errors = NativeMind::of_terms(Control::Acceleration, &[Term::native("track_slot", 1.0)]).expect_err("refused");
    assert!(errors[0].message.contains("add control"), "{errors:?}");
}

#[test]
fn unknown_forces_and_parameters_name_the_nearest() {
    let errors = NativeMind::of_terms(
        Control::Acceleration,
        &[Term::native("seperation", 1.0), Term::native("cohesion", 1.0).with("radios", 1.0)],
    )
    .expect_err("two mistakes");
    let all = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(all.contains("`separation`") && all.contains("`radius`"), "{all}");
    let bound = Term::native("cohesion", 1.0).with("radius", Bind::Param("view".to_owned()));
    assert!(NativeMind::of_terms(Control::Acceleration, &[bound]).is_err());
}

#[test]
fn a_switched_off_force_keeps_its_weight_and_adds_nothing() {
    let mut yard = Yard::plain();
    let group = yard.group("a", BodySpec::default(), Control::Acceleration, &[Term::native("separation", 1.0)]);
    let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    yard.spawn(group, at(0.5, 0.0), DVec3::ZERO);
    assert!(yard.push(id).length() > 1.0);
    assert!(yard.minds[0].set_enabled("separation", false));
    assert_eq!(yard.push(id), DVec3::ZERO);
    assert_eq!(yard.minds[0].params().get("separation.weight"), Some(&Value::Number(1.0)));
    assert!(yard.minds[0].set_enabled("separation", true));
    assert!(yard.push(id).length() > 1.0);
    assert!(!yard.minds[0].set_enabled("cohesion", false));
}

#[test]
fn contributions_add_up_to_the_push() {
    let mut yard = Yard::plain();
    let group = yard.behavior("flock", BodySpec::default());
    let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    yard.spawn(group, at(0.7, 0.2), at(0.0, 1.0));
    yard.spawn(group, at(-0.1, 1.4), at(0.3, 0.0));
    let push = yard.push(id);
    let shares = yard.minds[0].contributions(&yard.world.clone(), group, id.slot);
    let keys: Vec<&str> = shares.iter().map(|share| share.key.as_str()).collect();
    assert_eq!(keys, ["alignment", "cohesion", "obstacle", "separation"]);
    close(shares.iter().map(|share| share.push).sum(), push, 1e-12);
}

#[test]
fn a_non_finite_force_is_left_out_named_and_quarantines_only_its_agent() {
    let mut yard = Yard::plain();
    let terms = [Term::native("cohesion", 1.0).with("radius", 9.0), Term::native("track_slot", 1.0)];
    let group = yard.group("a", BodySpec::default(), Control::Velocity, &terms);
    let good = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    let bad = yard.spawn(group, at(1.0, 0.0), DVec3::ZERO);
    for id in [good, bad] {
        yard.place(id, id.slot, at(2.0, 2.0), 0.0);
    }
    yard.world().agents.place[bad.slot as usize].as_mut().expect("placed").velocity = at(f64::NAN, 0.0);
    let (rows, faults) = yard.intents(group);
    assert!(rows.iter().all(|row| row.push.is_finite()));
    assert_eq!(faults.len(), 1);
    assert_eq!((faults[0].agent, faults[0].source.as_str()), (bad, "track_slot"));
    yard.step();
    assert!(yard.world.agents.quarantined[bad.slot as usize]);
    assert!(!yard.world.agents.quarantined[good.slot as usize]);
}

#[test]
fn weight_scale_and_parameters_come_per_member_from_outside() {
    let mut yard = Yard::plain();
    let group = yard.group("a", BodySpec::default(), Control::Acceleration, &[]);
    for index in 0..3 {
        yard.spawn(group, at(f64::from(index), 0.0), DVec3::ZERO);
    }
    let leaf = |path: &str, weight| LeafSpec {
        path: path.to_owned(),
        control: Control::Acceleration,
        terms: vec![TermSpec {
            key: "pull".to_owned(),
            force: "arrive".to_owned(),
            weight,
            params: vec![("target".to_owned(), Source::Memory(4))],
            scale: true,
        }],
    };
    let mut blends = Blends::new(&[leaf("off", Source::Slider(0)), leaf("on", Source::Memory(2))]).expect("compiles");
    let lanes: Vec<(usize, usize)> = blends.lanes().iter().map(|lane| (lane.memory, lane.width)).collect();
    assert_eq!(lanes, [(4, 3), (2, 1)]);
    assert_eq!(blends.stride(), 5);
    assert_eq!(blends.scales(1).collect::<Vec<_>>(), [("pull", 4)]);
    let target = [0.0, 0.1, 0.0];
    let row = |weight: f64, scale: f64| [target[0], target[1], target[2], weight, scale];
    let rows: Vec<f64> = [row(9.0, 9.0), row(2.0, 0.5), row(2.0, 0.0)].concat();
    swarmyard::sim::tick::sense(yard.world());
    let mut out = Intents::default();
    out.reset(3);
    out.rows[0].push = DVec3::Y;
    out.rows[1].state = 1;
    out.rows[2].state = 1;
    out.rows[2].push = DVec3::X;
    let bound = Bound { sliders: &[Value::Number(0.0)], rows: &rows, active: &[] };
    blends.evaluate(&yard.world, group, &Workers::new(1), &bound, &mut out);
    // Weight 0 is off; weight 2 times scale 0.5 is one; scale 0 leaves what the script pushed.
    close(out.rows[0].push, DVec3::Y, 0.0);
    let distance = at(-1.0, 0.1);
    close(out.rows[1].push, distance * 0.5 / 0.5, 1e-9);
    close(out.rows[2].push, DVec3::X, 0.0);
    // Members that do not decide keep what they have.
    out.rows[1].push = DVec3::ZERO;
    let bound = Bound { active: &[true, false, true], ..bound };
    blends.evaluate(&yard.world, group, &Workers::new(1), &bound, &mut out);
    close(out.rows[1].push, DVec3::ZERO, 0.0);
}

#[test]
fn a_new_agent_in_an_old_slot_starts_with_a_fresh_integral() {
    let mut yard = Yard::plain();
    let terms = [Term::native("track_slot", 1.0).with("k1", 0.0).with("kd", 0.0).with("k3", 1.0)];
    let group = yard.group("a", BodySpec::default(), Control::Velocity, &terms);
    let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    yard.place(id, 0, at(1.0, 0.0), 0.0);
    for _ in 0..10 {
        yard.intents(group);
    }
    yard.world().apply(SimCommand::Remove(id)).expect("it lives");
    let again = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    assert_eq!((again.slot, again.generation), (id.slot, 1));
    yard.place(again, 0, at(1.0, 0.0), 0.0);
    close(yard.push(again), at(1.0 / 60.0, 0.0), 1e-12);
}

#[test]
fn what_a_force_keeps_shows_in_the_digest() {
    let mut yard = Yard::plain();
    let group =
        yard.group("a", BodySpec::default(), Control::Velocity, &[Term::native("track_slot", 1.0).with("k3", 0.5)]);
    let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    yard.place(id, 0, at(1.0, 0.0), 0.0);
    let before = yard.hash();
    yard.intents(group);
    assert_ne!(before, yard.hash());
}

#[test]
fn cells_follow_the_largest_radius_that_acts() {
    let terms =
        [Term::native("separation", 1.0).with("radius", 2.0), Term::native("cohesion", 0.0).with("radius", 9.0)];
    let mind = NativeMind::of_terms(Control::Acceleration, &terms).expect("native");
    assert_eq!(mind.reach(), 2.0);
    let mut yard = Yard::plain();
    yard.group("a", BodySpec::default(), Control::Acceleration, &terms);
    yard.run(1);
    assert_eq!(yard.world.cell_side, 2.0);
    let _groups: &[Group] = &yard.world.groups;
    assert_eq!(yard.world.groups[0].id, GroupId(0));
}
