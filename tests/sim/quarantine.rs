//! Nothing non-finite stays in the world (F01, F24, U13).

use glam::DVec3;
use swarmyard::sim::{AgentId, Control, SimCommand, WorldSettings};

use super::helpers::{Ask, Bench, free_body};

#[test]
fn f24_a_mind_that_yields_nan_stops_its_agent_only() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for control in [Control::Velocity, Control::Acceleration] {
            let mut bench = Bench::new(WorldSettings::default());
            let mind =
                Ask::new(
                    control,
                    move |world: &swarmyard::sim::World, slot| {
                        if slot == 1 && world.tick == 5 { DVec3::new(bad, 0.0, 0.0) } else { DVec3::X }
                    },
                );
            bench.group(free_body(), Box::new(mind), &[DVec3::ZERO, DVec3::Y, DVec3::Y * 2.0]);
            bench.run(6);
            let fault = bench.report.quarantined.first().expect("it is reported").clone();
            assert_eq!(fault.agent, AgentId { slot: 1, generation: 0 });
            let stopped_at = bench.world.agents.position[1];
            bench.run(60);
            let agents = &bench.world.agents;
            assert!(agents.quarantined[1] && agents.position[1] == stopped_at && agents.velocity[1] == DVec3::ZERO);
            assert!(agents.position[0].x > 0.5 && agents.position[2].x > 0.5, "the others go on");
            let release = SimCommand::Release(fault.agent);
            bench.world().apply(release).expect("it lives");
            bench.run(60);
            assert!(bench.world.agents.position[1].x > stopped_at.x + 0.3, "released, it acts again");
        }
    }
}

#[test]
fn f02_commands_with_nonsense_are_refused_and_change_nothing() {
    let mut bench = Bench::new(WorldSettings::default());
    let mind = Ask::new(Control::Velocity, |_: &_, _| DVec3::ZERO);
    let group = bench.group(free_body(), Box::new(mind), &[DVec3::ZERO]);
    let before = bench.world.hash(&[]);
    let id = AgentId { slot: 0, generation: 0 };
    for bad in [DVec3::NAN, DVec3::INFINITY, DVec3::splat(1e300), DVec3::new(0.0, f64::NAN, 0.0)] {
        let spawn = SimCommand::Spawn { group, position: bad, heading: 0.0, velocity: DVec3::ZERO };
        for command in [spawn, SimCommand::Put(id, bad), SimCommand::SetGoal(id, Some(bad))] {
            let error = bench.world().apply(command).expect_err("it is refused");
            assert!(error.to_string().contains("finite"), "{error}");
        }
    }
    let nobody = AgentId { slot: 7, generation: 0 };
    assert!(bench.world().apply(SimCommand::Remove(nobody)).is_err());
    assert_eq!(bench.world.hash(&[]), before);
}
