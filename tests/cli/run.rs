//! `run`: the same run for every process and number of threads, parameters, contracts, faults, files.

use crate::program::{Project, call, scene};

fn hash(arguments: &[&str]) -> String {
    let mut all = vec!["run"];
    all.extend(arguments);
    all.push("--json");
    call(&all).with(0).json()["hash"].as_str().expect("a run has a hash").to_owned()
}

#[test]
fn f28_two_processes_and_any_number_of_threads_agree() {
    for scene in ["scenes/01_drill.ron", "scenes/02_boids.ron"] {
        let one = hash(&[scene, "--ticks", "90"]);
        assert_eq!(one, hash(&[scene, "--ticks", "90"]), "{scene}: a second process");
        for threads in ["1", "2", "8"] {
            assert_eq!(one, hash(&[scene, "--ticks", "90", "--threads", threads]), "{scene}: {threads} threads");
        }
        // Nothing in the drill is drawn by lot.
        let another = hash(&[scene, "--ticks", "90", "--seed", "8"]);
        assert_eq!(one == another, scene.contains("drill"), "{scene}: another seed");
        assert_ne!(one, hash(&[scene, "--ticks", "91"]), "{scene}: another tick");
    }
}

#[test]
fn set_reaches_parameters_bodies_formations_and_counts() {
    let plain = hash(&["scenes/01_drill.ron", "--ticks", "60"]);
    for set in ["drill.k1=1.5", "drill.body.lag=0.3", "drill.formation.spacing=1.0", "drill.aligning.track_slot.k1=0.5"]
    {
        let changed = hash(&["scenes/01_drill.ron", "--ticks", "400", "--set", set]);
        let unchanged = hash(&["scenes/01_drill.ron", "--ticks", "400"]);
        assert_ne!(changed, unchanged, "{set}");
    }
    // A limit of the contract judges and changes nothing.
    assert_eq!(plain, hash(&["scenes/01_drill.ron", "--ticks", "60", "--set", "drill.contract.spacing=0.5"]));
    let answer = call(&["run", "scenes/01_drill.ron", "--ticks", "5", "--set", "drill.count=7", "--json"]).with(0);
    assert_eq!(answer.json()["groups"][0]["agents"], 7);
}

#[test]
fn the_drill_holds_its_contract_and_a_limp_one_does_not() {
    let answer = call(&["run", "scenes/01_drill.ron", "--json", "--require-contract"]).with(0);
    let json = answer.json();
    let contract = &json["groups"][0]["contract"];
    assert_eq!(contract["ok"], true, "{contract:#}");
    for settle in contract["settles"].as_array().expect("settles is a list") {
        assert!(settle["took"].as_f64().is_some(), "{settle}");
    }
    let limp =
        ["run", "scenes/01_drill.ron", "--seconds", "8", "--set", "drill.k1=0.2", "--require-contract", "--json"];
    assert_eq!(call(&limp).with(1).json()["groups"][0]["contract"]["ok"], false);
    let without = &limp[..limp.len() - 2];
    call(without).with(0);
}

#[test]
fn a_contract_required_of_a_scene_without_one_is_a_failure() {
    let project = Project::new().with("scenes/plain.ron", &scene("flock"));
    project.call(&["run", "scenes/plain.ron", "--ticks", "3", "--require-contract"]).with(1).saying("contract");
}

#[test]
fn zero_ticks_and_zero_agents_are_all_right() {
    let empty = "Scene(format: 1, title: \"empty\")\n";
    let project = Project::new()
        .with("scenes/empty.ron", empty)
        .with("scenes/none.ron", &scene("flock").replace("count: 5", "count: 0"));
    project.call(&["run", "scenes/empty.ron", "--ticks", "10", "--json"]).with(0);
    project.call(&["run", "scenes/none.ron", "--ticks", "10", "--json"]).with(0);
    let answer = project.call(&["run", "scenes/empty.ron", "--seconds", "0", "--json"]).with(0);
    assert_eq!(answer.json()["ticks"], 0);
}

#[test]
fn the_report_for_people_names_groups_contract_and_hash() {
    let answer = call(&["run", "scenes/01_drill.ron", "--seconds", "3"]).with(0);
    for text in ["drill: 20 agents", "slot_error", "contract", "hash "] {
        assert!(answer.stdout.contains(text), "no {text:?} in\n{}", answer.stdout);
    }
    assert!(!answer.stdout.contains('\u{1b}'), "color only on a terminal");
}

const FAULTY: &str =
    "return yard.behavior {\n  step = function(agent, p)\n    if yard.tick == 5 then error(\"boom\") end\n  end,\n}\n";

#[test]
fn a_run_stops_at_the_first_fault_unless_it_shall_go_on() {
    let project = Project::new().with("scripts/behaviors/faulty.luau", FAULTY).with("scenes/f.ron", &scene("faulty"));
    let answer = project.call(&["run", "scenes/f.ron", "--ticks", "60", "--json"]).with(1).saying("boom");
    let json = answer.json();
    assert!(json["ticks"].as_u64().is_some_and(|ticks| (5..=7).contains(&ticks)), "{}", json["ticks"]);
    let problem = &json["problems"][0];
    assert_eq!((problem["file"].as_str(), problem["line"].as_u64()), (Some("scripts/behaviors/faulty.luau"), Some(3)));
    assert_eq!(problem["group"], "crowd");
    let answer = project.call(&["run", "scenes/f.ron", "--ticks", "60", "--json", "--keep-going"]).with(1);
    let json = answer.json();
    assert_eq!(json["ticks"], 60);
    assert!(
        json["problems"][0]["count"].as_u64().is_some_and(|count| count >= 5),
        "each of the five agents faults once"
    );
}

#[test]
fn csv_has_a_row_per_tick_asked_for_and_a_row_per_agent() {
    let project = Project::new();
    let file = project.file("series.csv");
    let path = file.to_str().expect("a plain path");
    call(&["run", "scenes/01_drill.ron", "--ticks", "20", "--csv", path, "--every", "5", "--json"]).with(0);
    let text = std::fs::read_to_string(&file).expect("the file is written");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("tick,time,") && lines[0].contains("drill.slot_error"), "{}", lines[0]);
    let ticks: Vec<&str> = lines[1..].iter().filter_map(|line| line.split(',').next()).collect();
    assert_eq!(ticks, ["0", "5", "10", "15", "20"]);
    let columns = lines[0].split(',').count();
    assert!(lines.iter().all(|line| line.split(',').count() == columns));

    call(&["run", "scenes/01_drill.ron", "--ticks", "10", "--csv", path, "--every", "10", "--agents", "--json"])
        .with(0);
    let text = std::fs::read_to_string(&file).expect("the file is written");
    assert_eq!(text.lines().count(), 1 + 2 * 20);
    assert!(text.lines().all(|line| !line.contains("NaN")));
    call(&["run", "scenes/01_drill.ron", "--ticks", "1", "--csv", "/nowhere/at/all.csv"]).with(1).saying("all.csv");
}

#[test]
fn a_reader_who_leaves_is_no_fault() {
    use std::process::Stdio;
    let mut command = crate::program::command(crate::program::package(), &["list", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    crate::program::answer(&output).with(0);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_with_the_report_so_far() {
    use std::process::Stdio;
    let arguments = ["run", "scenes/01_drill.ron", "--ticks", "100000000", "--json"];
    let mut command = crate::program::command(crate::program::package(), &arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let answer = crate::program::answer(&child.wait_with_output().expect("the program ends")).with(0);
    let json = answer.json();
    assert!(json["ticks"].as_u64().is_some_and(|ticks| ticks > 0 && ticks < 100_000_000));
}

/// A scene of a plugin belongs to the project above `plugins/`, also without `--project`.
#[test]
fn the_scene_of_a_plugin_runs_from_anywhere() {
    call(&["run", "plugins/fireflies/scenes/meadow.ron", "--ticks", "3"]).with(0);
}

/// A table never takes the place of what the project is made of.
#[test]
fn a_table_does_not_overwrite_the_project() {
    let text = scene("flock");
    let script = "return yard.behavior { step = function(agent) return vector.zero end }\n";
    let project = Project::new().with("scenes/it.ron", &text).with("scripts/behaviors/one.luau", script);
    for target in ["scenes/it.ron", "./scenes/../scenes/it.ron", "scripts/behaviors/one.luau", "-"] {
        project.call(&["run", "scenes/it.ron", "--ticks", "2", "--csv", target]).with(2).saying("--csv");
    }
    assert_eq!(std::fs::read_to_string(project.file("scenes/it.ron")).expect("there"), text);
    assert_eq!(std::fs::read_to_string(project.file("scripts/behaviors/one.luau")).expect("there"), script);
    project.call(&["run", "scenes/it.ron", "--ticks", "2", "--csv", "it.csv"]).with(0);
}

#[test]
fn what_scripts_log_is_told_on_stderr() {
    let script = "return yard.behavior { step = function(agent)
        if yard.tick == 2 and agent.id == 1 then yard.log('hello', {}, print) end return vector.zero end }";
    let project = Project::new().with("scenes/it.ron", &scene("one")).with("scripts/behaviors/one.luau", script);
    let answer = project.call(&["run", "scenes/it.ron", "--ticks", "5", "--json"]).with(0);
    let answer = answer.saying("hello table function").saying("one.luau:2");
    assert!(answer.json()["hash"].is_string(), "stdout holds the report only");
}

/// Whatever is called an error makes the run a failure, also when no callback faulted.
#[test]
fn an_error_of_the_run_is_status_one() {
    for act in ["world:set('g.nope', 1)", "world:open('nothing')", "world:send('nobody', 'x')"] {
        let director = format!("return yard.director {{ tick = function(world) {act} end }}");
        let text = scene("flock").replacen("groups:", "directors: [\"boss\"], groups:", 1);
        let project = Project::new().with("scenes/it.ron", &text).with("scripts/directors/boss.luau", &director);
        project.call(&["run", "scenes/it.ron", "--ticks", "3"]).with(1).saying("Error").saying("boss.luau:1");
    }
    let project = Project::new().with("scenes/it.ron", &scene("flock"));
    project
        .call(&["run", "scenes/it.ron", "--ticks", "3", "--project", "/nowhere/at/all"])
        .with(1)
        .saying("no such folder");
}

/// The first tick of a run is guarded as a check is: a wrong write is named with its line.
#[test]
fn a_wrong_write_is_named_when_a_run_begins() {
    for write in [
        "agent.position = vector.zero",
        "agent.id = 5",
        "local row = agent:neighbors(100)[1] if row then row.speed = 1 end",
    ] {
        let script = format!("return yard.behavior {{ step = function(agent)\n  {write}\n  return vector.zero end }}");
        let project = Project::new().with("scenes/it.ron", &scene("one")).with("scripts/behaviors/one.luau", &script);
        project.call(&["run", "scenes/it.ron", "--ticks", "3"]).with(1).saying("read-only").saying("one.luau:2");
    }
}

#[test]
fn hashes_that_were_asked_for_are_printed() {
    let project = Project::new().with("scenes/it.ron", &scene("flock"));
    let answer = project.call(&["run", "scenes/it.ron", "--ticks", "4", "--hash-every", "2"]).with(0);
    assert!(
        answer.stdout.contains("hash at tick 2: ") && answer.stdout.contains("hash at tick 4: "),
        "{}",
        answer.stdout
    );
}

/// Without `of` a scripted metric is one number per group, under the group's name; with it one of all that it names.
#[test]
fn a_scripted_metric_is_taken_per_group_or_over_those_that_are_named() {
    let metric = "return yard.metric { unit = 'm', compute = function(group) return group.count end }";
    let group = |name: &str, count: u32, x: u32| {
        format!("Group(name: \"{name}\", count: {count}, spawn: Grid(at: ({x}, 0), spacing: 2), behavior: \"flock\")")
    };
    let text = |metrics: &str| {
        let groups = format!("{}, {}", group("a", 3, 0), group("b", 5, 50));
        format!("Scene(format: 1, title: \"t\", metrics: [{metrics}], groups: [{groups}])")
    };
    let project = Project::new()
        .with("scripts/metrics/size.luau", metric)
        .with("scenes/each.ron", &text("\"size\""))
        .with("scenes/all.ron", &text("(name: \"size\", of: [\"a\", \"b\"])"));
    let each = project.call(&["run", "scenes/each.ron", "--ticks", "2", "--json"]).with(0).json();
    assert_eq!(each["groups"][0]["metrics"]["size"]["last"], 3.0);
    assert_eq!(each["groups"][1]["metrics"]["size"]["last"], 5.0);
    let all = project.call(&["run", "scenes/all.ron", "--ticks", "2", "--json"]).with(0).json();
    assert_eq!(all["groups"][0]["metrics"]["size"]["last"], 8.0);
}

/// A director takes an obstacle away by its name.
#[test]
fn a_director_removes_an_obstacle() {
    let director = "return yard.director { tick = function(world) if yard.at(0.1) then world:remove('block') end end }";
    let walker = "return yard.behavior { control = 'velocity', step = function() return vector.create(2, 0) end }";
    let text = "Scene(format: 1, title: \"t\", directors: [\"boss\"], obstacles: [Box(name: \"block\", min: (1, -1), max: (2, 1))],
        groups: [Group(name: \"g\", count: 1, spawn: Points([(0, 0)]), behavior: \"one\")])";
    let project = Project::new()
        .with("scenes/it.ron", text)
        .with("scripts/directors/boss.luau", director)
        .with("scripts/behaviors/one.luau", walker);
    let run = ["run", "scenes/it.ron", "--seconds", "3", "--csv", "way.csv", "--agents"];
    project.call(&run).with(0);
    let way = std::fs::read_to_string(project.file("way.csv")).expect("written");
    let heads: Vec<&str> = way.lines().next().expect("a head").split(',').collect();
    let x = heads.iter().position(|head| *head == "x").expect("a column");
    let last: f64 = way.lines().last().and_then(|line| line.split(',').nth(x)?.parse().ok()).expect("a number");
    assert!(last > 5.0, "it walked where the block was: {last}");
}

/// Output that is lost is a failure; nobody reading is none.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_under_stdout_is_a_failure() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let mut run = crate::program::command(crate::program::package(), &["run", "scenes/02_boids.ron", "--ticks", "2"]);
    let output = run.stdout(full).output().expect("it runs");
    crate::program::answer(&output).with(1).saying("stdout could not be written");
}

/// jupedsim#1531: one line in the log for each of a thousand agents.
#[test]
fn row_44_a_thousand_agents_make_no_longer_log_than_ten() {
    let lines = |count: &str| {
        let set = format!("boids.count={count}");
        let answer = call(&["run", "scenes/02_boids.ron", "--ticks", "3", "--set", &set]).with(0);
        answer.stdout.lines().count() + answer.stderr.lines().count()
    };
    assert_eq!(lines("1000"), lines("10"));
}
