//! Scenes of flocks: nobody touches a trunk or another body, and traps let everybody through.

use super::helpers::{expect_no_errors, open, project, try_open};
use swarmyard::experiment::{Experiment, Options};

/// Least way between a body and an obstacle, and between two bodies, over a whole run of `ticks`, in m.
fn least_clearance(experiment: &mut Experiment, ticks: u64) -> (f64, f64) {
    let mut least = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ticks {
        experiment.tick();
        let world = experiment.world();
        let radius = world.groups[0].body.radius;
        let places = &world.agents.position;
        for (i, place) in places.iter().enumerate() {
            least.0 = least.0.min(world.obstacles.clearance(*place) - radius);
            for other in &places[..i] {
                least.1 = least.1.min(place.distance(*other) - 2.0 * radius);
            }
        }
    }
    least
}

/// E28: with default gains of the avoidance nobody touches an obstacle from 5 m/s, whatever the start.
#[test]
fn drones_at_five_meters_per_second_touch_no_trunk_and_nobody() {
    let text = std::fs::read_to_string(project().join("scenes/36_forest.ron")).expect("the scene");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shifted.ron");
    for start in ["-9.8", "-9.4", "-9", "-8.6", "-8.2"] {
        std::fs::write(&path, text.replacen("at: (-30, -9)", &format!("at: (-30, {start})"), 1)).expect("written");
        let options = Options { project: Some(project()), ..Options::default() };
        let mut experiment = try_open(&path, options).unwrap_or_else(|error| panic!("{error}"));
        let (trunk, drone) = least_clearance(&mut experiment, 30 * 60);
        expect_no_errors(&experiment);
        assert!(trunk > 0.0, "from {start}: {trunk} m from a trunk");
        assert!(drone > 0.0, "from {start}: {drone} m from a drone");
        let world = experiment.world();
        assert!(world.agents.position.iter().all(|place| place.x > 27.0), "from {start}: not all are through");
    }
}

/// Concurrent assignment with the least sum of squared ways keeps paths apart (Turpin, Michael and Kumar 2014, CAPT).
#[test]
fn sixty_drones_change_five_figures_without_touching() {
    let mut experiment = open("scenes/33_drone_show.ron");
    let ticks = experiment.last_tick();
    let (_, drone) = least_clearance(&mut experiment, ticks);
    expect_no_errors(&experiment);
    assert!(drone > 0.0, "{drone} m");
}

#[test]
fn traps_of_the_scene_let_everybody_through() {
    let mut experiment = open("scenes/34_traps.ron");
    let ticks = experiment.last_tick();
    let (wall, _) = least_clearance(&mut experiment, ticks);
    expect_no_errors(&experiment);
    assert!(wall > -1e-6, "{wall} m into a wall");
    let world = experiment.world();
    for place in &world.agents.position {
        assert!(place.x > 10.0, "still at {place}");
    }
}

/// The reef's world ends at the edges of its area: a school that turns there is not pressed to them.
#[test]
fn a_school_turns_before_it_is_pressed_to_the_edge() {
    let mut experiment = open("scenes/29_coral_reef.ron");
    let (mut seen, mut pressed) = (0_u64, 0_u64);
    while experiment.ticks() < 60 * 60 {
        experiment.tick();
        if !experiment.ticks().is_multiple_of(10) {
            continue;
        }
        let world = experiment.world();
        let area = world.settings.space.area.expect("the reef has an area");
        for &slot in &world.groups[0].members {
            let (place, near) = (world.agents.position[slot as usize], 2.0 * world.agents.radius[slot as usize]);
            let gap = (place - area.min).truncate().min((area.max - place).truncate()).min_element();
            seen += 1;
            pressed += u64::from(gap < near);
        }
    }
    expect_no_errors(&experiment);
    let share = pressed as f64 / seen as f64;
    assert!(share < 0.01, "{share} of all within two radii of the edge; without `bounds` it is 0.049");
}
