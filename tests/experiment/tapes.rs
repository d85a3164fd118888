//! Trajectories of runs: written, played again, beside a run as a ghost.

use std::path::Path;

use swarmyard::experiment::exporting::Export;
use swarmyard::experiment::{Experiment, Options, Rate};
use swarmyard::record;
use swarmyard::sim::AgentId;

use crate::helpers::{expect_no_errors, open, run, small_project, try_open};

/// People who leave through a door that opens after a second, and newcomers that take the slots of those who left.
const YARD: &str = r#"Scene(
  format: 1, title: "yard", seed: 3, tick_hz: 50, duration: 8, edge: Remove, area: (min: (0, 0), max: (12, 6)),
  obstacles: [
    Polyline(name: "room", points: [(8, 2.2), (8, 0), (0, 0), (0, 6), (8, 6), (8, 3.8)]),
    Wall(name: "door", from: (8, 2.2), to: (8, 3.8)),
  ],
  groups: [
    Group(name: "people", count: 12, spawn: Grid(at: (4, 1.2), columns: 4, spacing: 1), goal: (30, 3), behavior: "crowd_2009",
      body: (radius: 0.2, max_speed: 2, max_acceleration: 30), set: {"driving.speed": 1.6}),
    Group(name: "guards", count: 1, spawn: Points(points: [(1, 5)])),
  ],
  schedule: [At(1, Open(obstacle: "door")), At(6, Spawn(group: "people", count: 4, at: (2, 3), radius: 1))],
)"#;

fn export(experiment: &mut Experiment, path: &Path, every: u64) {
    let rate = Some(Rate::every(experiment.world().settings.tick_hz, every));
    let order = Export { path: path.to_path_buf(), rate, groups: Vec::new() };
    experiment.export(&order).unwrap_or_else(|problem| panic!("{problem}"));
}

#[test]
fn a_run_is_written_with_ids_that_nobody_else_gets_and_ground_that_changes() {
    let (folder, mut experiment) = small_project(YARD, &[]);
    let path = folder.path().join("out.sqlite");
    export(&mut experiment, &path, 2);
    let mut seen = std::collections::BTreeMap::new();
    for _ in 0..400 {
        experiment.tick();
        if experiment.ticks().is_multiple_of(2) {
            let agents = &experiment.world().agents;
            let living = (0..agents.slots()).filter(|slot| agents.alive[*slot]);
            for slot in living {
                let id = experiment.trajectory_id(agents.id(slot as u32));
                seen.insert((id, experiment.ticks() as i64 / 2), agents.position[slot]);
            }
        }
    }
    expect_no_errors(&experiment);
    let tape = record::read(&path, "out.sqlite", None).expect("the end of the run ended the file").tape;
    assert_eq!((tape.fps, tape.frames()), (25.0, Some((0, 200))));
    for ((id, frame), position) in &seen {
        assert_eq!(tape.pose(*id, *frame as f64).expect("was there").position, *position);
    }
    assert_eq!(tape.rows(), seen.len() + 13, "and the frame of tick 0");
    let second_lives = tape.tracks.keys().filter(|id| record::agent_of(**id).is_some_and(|agent| agent.generation > 0));
    assert!(second_lives.count() > 0, "somebody took the slot of one who left");
    assert_eq!(tape.grounds.iter().map(|(frame, _)| *frame).collect::<Vec<_>>(), [0, 26], "the door opens in tick 50");
    let outside = glam::DVec2::new(10.0, 3.0);
    assert!(!tape.grounds[0].1[0].has(outside) && tape.grounds[1].1[0].has(outside));
    assert_eq!(experiment.report().exports[0].frames, 201);
}

#[test]
fn a_played_file_is_the_run_again_and_written_again_the_same_file() {
    let (folder, mut experiment) = small_project(YARD, &[]);
    let first = folder.path().join("first.sqlite");
    export(&mut experiment, &first, 2);
    run(&mut experiment, 400);
    let mut replay = try_open(&first, Options::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(replay.world().settings.tick_hz, 25.0);
    assert_eq!(replay.last_tick(), 200);
    let second = folder.path().join("second.sqlite");
    export(&mut replay, &second, 1);
    let original = record::read(&first, "first", None).expect("it reads").tape;
    for frame in 0..=200 {
        let agents = &replay.world().agents;
        let mut here = 0;
        for slot in (0..agents.slots()).filter(|slot| agents.alive[*slot]) {
            let id = replay.trajectory_id(agents.id(slot as u32));
            let pose = original.pose(id, f64::from(frame)).expect("on the tape");
            assert_eq!(agents.position[slot], pose.position);
            assert_eq!(agents.velocity[slot], pose.velocity);
            assert_eq!(agents.heading[slot], pose.heading);
            here += 1;
        }
        assert_eq!(
            here,
            original.tracks.values().filter(|track| track.pose_at(f64::from(frame), 25.0).is_some()).count()
        );
        if frame < 200 {
            replay.tick();
        }
    }
    expect_no_errors(&replay);
    let again = record::read(&second, "second", None).expect("it reads").tape;
    assert_eq!(again.tracks.keys().collect::<Vec<_>>(), original.tracks.keys().collect::<Vec<_>>());
    for (id, track) in &original.tracks {
        for (frame, pose) in track.rows() {
            assert_eq!(again.pose(*id, frame as f64).expect("there").position, pose.position, "{id} in frame {frame}");
        }
    }
    // The rim is a wall of 1 cm in the replay, so the area is that much smaller; the door opens in the same frame.
    assert_eq!(again.grounds.iter().map(|(frame, _)| *frame).collect::<Vec<_>>(), [0, 26]);
    let report = replay.report();
    assert_eq!(report.groups[0].name, "people");
    assert!(
        report.groups[0].metrics.iter().any(|(id, metric)| id == "speed" && metric.mean.is_some_and(|mean| mean > 0.1))
    );
}

#[test]
fn a_replay_is_the_same_for_any_number_of_threads_and_after_a_reset() {
    let hash_of = |threads: usize| {
        let scene = crate::helpers::project().join("scenes/58_replay.ron");
        let mut experiment = try_open(&scene, Options { threads, ..Options::default() }).expect("a shipped scene");
        run(&mut experiment, 200);
        let first = experiment.hash();
        experiment.reset(false);
        run(&mut experiment, 200);
        assert_eq!(experiment.hash(), first, "after a reset");
        first
    };
    assert_eq!(hash_of(1), hash_of(4));
}

#[test]
fn people_of_the_run_see_those_of_the_file() {
    let mut experiment = open("scenes/58_replay.ron");
    let mut nearest = f64::INFINITY;
    for _ in 0..600 {
        experiment.tick();
        let world = experiment.world();
        let at = |group: usize| world.groups[group].members.iter().map(|slot| world.agents.position[*slot as usize]);
        for a in at(0) {
            nearest = at(1).map(|b| a.distance(b)).fold(nearest, f64::min);
        }
    }
    expect_no_errors(&experiment);
    assert!(nearest > 0.3 && nearest < 1.5, "they meet and make way: {nearest} m");
}

#[test]
fn the_ghost_of_the_same_model_is_where_the_run_is_and_that_of_another_is_not() {
    let (folder, mut experiment) = small_project(YARD, &[]);
    let path = folder.path().join("scenes/before.sqlite");
    export(&mut experiment, &path, 1);
    run(&mut experiment, 200);
    experiment.finish_exports();
    let with_ghost = |scene: &str| {
        let text = scene.replace("schedule:", "tapes: [Tape(name: \"before\", file: \"before.sqlite\", role: Ghost)],\n  plots: [\"people.before_error\"],\n  schedule:");
        std::fs::write(folder.path().join("scenes/ghost.ron"), text).expect("written");
        let mut experiment =
            try_open(&folder.path().join("scenes/ghost.ron"), Options { live: true, ..Options::default() })
                .unwrap_or_else(|error| panic!("{error}"));
        run(&mut experiment, 200);
        expect_no_errors(&experiment);
        experiment
    };
    let mut same = with_ghost(YARD);
    let error = |experiment: &mut Experiment, group: usize| {
        let report = experiment.report();
        let metrics = report.groups[group].metrics.clone();
        metrics
            .into_iter()
            .find(|(id, _)| id == "before_error")
            .map(|(_, metric)| (metric.unit, metric.max, metric.mean))
    };
    assert_eq!(error(&mut same, 0), Some(("m".to_owned(), Some(0.0), Some(0.0))), "the same numbers");
    assert_eq!(error(&mut same, 1).and_then(|(_, max, _)| max), Some(0.0), "the guard stands");
    let frame = same.frame(&mut swarmyard::experiment::FrameCache::default());
    assert_eq!(frame.ghosts.len(), 1);
    assert_eq!(frame.ghosts[0].error, Some(0.0));
    assert_eq!(frame.ghosts[0].position, frame.agents.position, "the outlines lie on the agents");
    assert!(frame.plots.iter().any(|plot| plot.id == "people.before_error" && plot.points.len() > 1), "it is plotted");

    let mut other = with_ghost(&YARD.replace("\"driving.speed\": 1.6", "\"driving.speed\": 0.8"));
    let (_, max, mean) = error(&mut other, 0).expect("measured");
    assert!(max.is_some_and(|max| max > 0.3) && mean.is_some_and(|mean| mean > 0.1), "{max:?} {mean:?}");
    // A ghost changes nothing: the run without it has the same hash.
    let (_folder, mut without) = small_project(&YARD.replace("\"driving.speed\": 1.6", "\"driving.speed\": 0.8"), &[]);
    run(&mut without, 200);
    assert_eq!(other.hash(), without.hash());
}

#[test]
fn a_ghost_can_be_put_beside_a_running_run_and_is_saved_with_the_scene() {
    use swarmyard::experiment::command::Command;
    let (folder, mut experiment) = small_project(YARD, &[]);
    let path = folder.path().join("scenes/Before 1.csv");
    experiment.apply(&Command::Export { path: path.display().to_string(), restart: false });
    run(&mut experiment, 50);
    experiment.apply(&Command::FinishExport);
    run(&mut experiment, 10);
    experiment.apply(&Command::AddGhost(path.display().to_string()));
    expect_no_errors(&experiment);
    let text = experiment.scene_text().expect("it saves");
    assert!(text.contains("Before 1.csv") && text.contains("before_1") && text.contains("Ghost"), "{text}");
    experiment.apply(&Command::AddGhost("nowhere.csv".to_owned()));
    assert!(experiment.problems().iter().any(|problem| problem.code == "unreadable"));
    experiment.apply(&Command::ResetKeepEdits);
    assert_eq!(experiment.scene().tapes.len(), 1, "kept with the edits");
    experiment.apply(&Command::Reset);
    assert!(experiment.scene().tapes.is_empty(), "gone with them");
}

#[test]
fn a_reset_ends_the_file_and_a_removed_agent_comes_back_no_more() {
    use swarmyard::experiment::command::Command;
    let (folder, mut experiment) = small_project(YARD, &[]);
    let path = folder.path().join("out.txt");
    run(&mut experiment, 20);
    experiment.apply(&Command::Export { path: path.display().to_string(), restart: true });
    assert_eq!(experiment.ticks(), 0, "it began again");
    run(&mut experiment, 80);
    experiment.apply(&Command::Reset);
    let tape = record::read(&path, "out.txt", None).expect("the reset ended it").tape;
    assert_eq!(tape.frames(), Some((0, 40)));

    let mut replay = try_open(&path, Options::default()).unwrap_or_else(|error| panic!("{error}"));
    run(&mut replay, 5);
    let before = replay.world().agents.count();
    replay.apply(&Command::RemoveAgents(vec![AgentId { slot: 0, generation: 0 }.into()]));
    run(&mut replay, 5);
    assert_eq!(replay.world().agents.count(), before - 1);
    expect_no_errors(&replay);
}

#[test]
fn tapes_that_make_no_sense_are_refused_with_their_line() {
    let refuse = |tape: &str, code: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scenes/it.ron");
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(&path, YARD.replace("schedule:", &format!("tapes: [\n    {tape},\n  ],\n  schedule:")))
            .expect("written");
        std::fs::write(folder.path().join("scenes/bad.txt"), "# framerate: 25 fps\n# in m\n1 0 0 x\n")
            .expect("written");
        let error = try_open(&path, Options::default()).expect_err(tape);
        let problem = error.problems().iter().find(|problem| problem.code == code);
        let problem = problem.unwrap_or_else(|| panic!("{tape}: {error}"));
        assert!(problem.line.is_some() && problem.hint.is_some(), "{problem:?}");
    };
    refuse(r#"Tape(name: "nobody", file: "bad.txt", role: Replay)"#, "unknown-group");
    refuse(r#"Tape(name: "people", file: "bad.txt", role: Replay)"#, "replay-with-mind");
    refuse(r#"Tape(name: "guards", file: "bad.txt", role: Replay)"#, "bad-row");
    refuse(r#"Tape(name: "guards", file: "none.txt", role: Replay)"#, "unreadable");
    refuse(r#"Tape(name: "a b", file: "bad.txt", role: Ghost)"#, "bad-name");
    refuse(r#"Tape(name: "a", file: "bad.tx", role: Ghost)"#, "unknown-format");
    refuse(r#"Tape(name: "a", file: "bad.txt", role: Gost)"#, "unknown-word");
}
