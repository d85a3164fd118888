//! Leading by hand: to a point, along with a velocity, and let go; the same commands make the same run.

use glam::DVec3;
use swarmyard::experiment::Experiment;
use swarmyard::experiment::command::{Command, Lead};

use super::helpers::{expect_no_errors, open, project, run, small_project};

fn lead(experiment: &mut Experiment, lead: Lead) {
    experiment.apply(&Command::Lead { group: "leader".to_owned(), lead });
}

fn state(experiment: &Experiment) -> String {
    experiment.agent_rows().next().expect("the leader").state
}

/// R101, R104: the leader leaves its route for a point, then is pushed along, then goes back to its route; the guard follows.
#[test]
fn the_leader_goes_where_it_is_led_and_back_to_its_route() {
    let mut experiment = open("scenes/37_leader.ron");
    run(&mut experiment, 120);
    assert_eq!(state(&experiment), "on_route");
    let point = DVec3::new(0.0, 3.0, 0.0);
    lead(&mut experiment, Lead::To(point));
    run(&mut experiment, 12 * 60);
    assert_eq!(state(&experiment), "led");
    let world = experiment.world();
    assert!(world.agents.position[0].distance(point) < 0.35, "{}", world.agents.position[0]);
    assert!(world.agents.speed(0) < 0.1, "it waits there");
    let guard = &world.groups[1].members;
    let far = guard.iter().map(|slot| world.agents.position[*slot as usize].distance(point)).fold(0.0, f64::max);
    assert!(far < 5.0, "the guard came along: {far} m");
    lead(&mut experiment, Lead::Along(DVec3::new(9.0, 0.0, 0.0)));
    run(&mut experiment, 4 * 60);
    let velocity = experiment.world().agents.velocity[0];
    assert!(velocity.distance(DVec3::new(1.5, 0.0, 0.0)) < 0.1, "as fast as it can: {velocity}");
    lead(&mut experiment, Lead::Along(DVec3::ZERO));
    run(&mut experiment, 4 * 60);
    let speed = experiment.world().agents.speed(0);
    assert!(speed < 0.1, "no key, no motion: {speed} m/s");
    lead(&mut experiment, Lead::Release);
    run(&mut experiment, 5 * 60);
    assert_eq!(state(&experiment), "on_route");
    assert!(experiment.world().agents.speed(0) > 1.0);
    expect_no_errors(&experiment);
    assert!(experiment.problems().is_empty(), "{:?}", experiment.problems());
}

#[test]
fn the_same_commands_make_the_same_run() {
    let play = || {
        let mut experiment = open("scenes/37_leader.ron");
        for tick in 0..600_u64 {
            // As a pointer that is moved about sends them.
            if (100..400).contains(&tick) && tick % 3 == 0 {
                let angle = tick as f64 * 0.02;
                lead(&mut experiment, Lead::To(DVec3::new(4.0 * angle.cos(), 4.0 * angle.sin(), 0.0)));
            }
            if tick == 420 {
                lead(&mut experiment, Lead::Along(DVec3::new(-1.0, 1.0, 0.0)));
            }
            if tick == 500 {
                lead(&mut experiment, Lead::Release);
            }
            experiment.tick();
        }
        experiment.hash()
    };
    assert_eq!(play(), play());
}

/// Without a window the schedule leads.
#[test]
fn a_schedule_leads_as_a_pointer_does() {
    let machine = std::fs::read_to_string(project().join("scripts/machines/leader.luau")).expect("shipped");
    let scene = "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 20, groups: [Group(name: \"leader\", spawn: Points([(0, 0)]), body: (radius: 0.3, max_speed: 1.5), behavior: \"leader\")], schedule: [At(1, Lead(group: \"leader\", to: (3, 4))), At(10, Lead(group: \"leader\", velocity: (0, -1))), At(14, Release(group: \"leader\"))])";
    let (_folder, mut experiment) = small_project(scene, &[("scripts/machines/leader.luau", &machine)]);
    run(&mut experiment, 9 * 60);
    assert!(experiment.world().agents.position[0].distance(DVec3::new(3.0, 4.0, 0.0)) < 0.35);
    run(&mut experiment, 4 * 60);
    let velocity = experiment.world().agents.velocity[0];
    assert!(velocity.distance(DVec3::new(0.0, -1.0, 0.0)) < 0.1, "{velocity}");
    run(&mut experiment, 2 * 60);
    assert_eq!(state(&experiment), "on_route");
    expect_no_errors(&experiment);
    // A line that says neither where nor how is refused with its line.
    let neither = scene.replace(", to: (3, 4)", "");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("it.ron"), &neither).expect("written");
    std::fs::create_dir_all(folder.path().join("scripts/machines")).expect("made");
    std::fs::write(folder.path().join("scripts/machines/leader.luau"), machine).expect("written");
    let options = swarmyard::experiment::Options { project: Some(folder.path().to_path_buf()), ..Default::default() };
    let refused =
        super::helpers::try_open(&folder.path().join("it.ron"), options).expect_err("neither point nor velocity");
    assert!(refused.to_string().contains("either `to` or `velocity`"), "{refused}");
}
