//! Reload: the newest text that passes runs, one broken file holds back no other, versions can be put back.

use swarmyard::script::define::Kind;
use swarmyard::script::host::{Host, ReloadReport};
use swarmyard::script::migrate::{change, migrate};
use swarmyard::script::project::Scan;
use swarmyard::script::sources::Sources;

use crate::support::open;

const SHY: &str = "scripts/behaviors/shy.luau";
const BOLD: &str = "scripts/behaviors/bold.luau";

fn shy(params: &str) -> String {
    format!("return yard.behavior {{ params = {{ {params} }} }}")
}

fn save(host: &mut Host, texts: &[(&str, &str)]) -> ReloadReport {
    let scan = Scan { sources: Sources::from_texts(texts.iter().copied()), ..Scan::default() };
    host.begin_reload(scan).expect("a worker starts");
    let candidate = host.finish_reload().expect("the build ends");
    host.take_over(candidate)
}

fn default_of(host: &Host, name: &str) -> Vec<String> {
    let item = host.library().find(Kind::Behavior, name).expect("it runs");
    item.definition.params().iter().map(|param| format!("{}={}", param.name, param.default)).collect()
}

#[test]
fn a_broken_file_runs_on_in_its_last_good_version_and_holds_back_no_other() {
    let mut host = open(&[(SHY, &shy("a = 1")), (BOLD, &shy("b = 1"))]);
    let report = save(&mut host, &[(SHY, "return yard.behavior {"), (BOLD, &shy("b = 2"))]);
    assert_eq!(default_of(&host, "shy"), ["a=1"]);
    assert_eq!(default_of(&host, "bold"), ["b=2"]);
    assert_eq!(report.problems.len(), 1, "{:#?}", report.problems);
    assert_eq!(report.problems[0].code, "syntax");
    let report = save(&mut host, &[(SHY, &shy("a = 3")), (BOLD, &shy("b = 2"))]);
    assert_eq!(report.problems, []);
    assert_eq!(default_of(&host, "shy"), ["a=3"]);
    assert_eq!(host.version_in_effect(SHY), 2);
}

#[test]
fn a_broken_module_keeps_the_old_one_for_those_that_use_it() {
    let user = "local m = require(\"lib/m\")\nreturn yard.behavior { params = { a = m.a } }";
    let mut host = open(&[(SHY, user), ("scripts/lib/m.luau", "return { a = 1 }")]);
    save(&mut host, &[(SHY, user), ("scripts/lib/m.luau", "return { a = }")]);
    assert_eq!(default_of(&host, "shy"), ["a=1"]);
    assert_eq!(host.problems()[0].file.as_deref(), Some("scripts/lib/m.luau"));
    save(&mut host, &[(SHY, user), ("scripts/lib/m.luau", "return { a = 2 }")]);
    assert_eq!(default_of(&host, "shy"), ["a=2"]);
    assert_eq!(host.problems(), []);
}

#[test]
fn a_file_that_breaks_through_another_file_falls_back_too() {
    let force = |param: &str| {
        format!("return yard.force {{ params = {{ {param} = 1 }}, compute = function() return vector.zero end }}")
    };
    let user = "return yard.behavior { forces = { push = { gain = 2 } } }";
    let mut host = open(&[(SHY, user), ("scripts/forces/push.luau", &force("gain"))]);
    assert_eq!(host.problems(), []);
    save(&mut host, &[(SHY, user), ("scripts/forces/push.luau", &force("strength"))]);
    assert!(host.problems()[0].message.contains("no parameter `gain`"), "{:#?}", host.problems());
}

#[test]
fn an_endless_loop_in_a_file_stops_and_the_others_load() {
    let mut host = open(&[(SHY, &shy("a = 1")), (BOLD, &shy("b = 1"))]);
    save(&mut host, &[(SHY, "while true do end"), (BOLD, &shy("b = 2"))]);
    assert_eq!(host.problems()[0].code, "time", "{:#?}", host.problems());
    assert_eq!(default_of(&host, "shy"), ["a=1"]);
    assert_eq!(default_of(&host, "bold"), ["b=2"]);
}

#[test]
fn a_deleted_file_runs_on_with_a_warning() {
    let mut host = open(&[(SHY, &shy("a = 1")), (BOLD, &shy("b = 1"))]);
    save(&mut host, &[(BOLD, &shy("b = 1"))]);
    assert_eq!(default_of(&host, "shy"), ["a=1"]);
    assert_eq!(host.problems()[0].code, "missing-file");
}

#[test]
fn the_last_ten_versions_can_be_put_back_until_the_next_save() {
    let mut host = open(&[(SHY, &shy("a = 1"))]);
    for value in 2..=12 {
        save(&mut host, &[(SHY, &shy(&format!("a = {value}")))]);
    }
    assert_eq!(host.version_in_effect(SHY), 12);
    assert_eq!(host.versions(SHY).len(), 10);
    assert!(host.put_back(SHY, 1).is_err(), "the first is not kept any more");
    host.put_back(SHY, 5).expect("it is kept");
    let candidate = host.finish_reload().expect("the build ends");
    host.take_over(candidate);
    assert_eq!((default_of(&host, "shy"), host.version_in_effect(SHY)), (vec!["a=5".to_owned()], 5));
    save(&mut host, &[(SHY, &shy("a = 12"))]);
    assert_eq!(default_of(&host, "shy"), ["a=5"], "the file was not saved since");
    save(&mut host, &[(SHY, &shy("a = 13"))]);
    assert_eq!((default_of(&host, "shy"), host.version_in_effect(SHY)), (vec!["a=13".to_owned()], 13));
}

#[test]
fn names_are_unique_per_kind_native_and_scripted_together() {
    let force = "return yard.force { compute = function() return vector.zero end }";
    let host = open(&[
        ("scripts/forces/separation.luau", force),
        ("scripts/a/x.luau", force),
        ("scripts/b/x.luau", force),
        ("scripts/behaviors/x.luau", "return yard.behavior {}"),
    ]);
    let codes: Vec<&str> = host.problems().iter().map(|problem| problem.code.as_str()).collect();
    assert_eq!(codes, ["name-taken", "name-taken"]);
    assert!(host.library().find(Kind::Behavior, "x").is_some());
}

#[test]
fn a_reload_tells_what_became_of_parameters_memory_and_states() {
    let old = "return yard.machine { params = { a = 1, b = 1 }, memory = { m = 1, n = 1, q = 1 }, initial = 'walk', states = { walk = {}, flee = {}, idle = {} }, transitions = { { from = 'any', to = 'flee', on = 'x', label = 'go' }, { from = 'any', to = 'walk', on = 'y' }, { from = 'walk', to = 'idle', on = 'z', hold = 1 } } }";
    let new = "return yard.machine { params = { b = 2, c = 1 }, memory = { m = true, n = 1, r = 1 }, renamed = { idle = 'rest', q = 'r' }, initial = 'walk', states = { walk = {}, rest = {} }, transitions = { { from = 'any', to = 'walk', on = 'y' }, { from = 'walk', to = 'rest', on = 'z' } } }";
    let mut host = open(&[(SHY, old)]);
    let before = host.library().program("shy").expect("it runs").clone();
    let report = save(&mut host, &[(SHY, new)]);
    let after = host.library().program("shy").expect("it runs").clone();
    let said = change(&before, &after);
    assert_eq!((said.kept, said.new.clone(), said.removed.clone()), (1, vec!["c".to_owned()], vec!["a".to_owned()]));
    assert_eq!((said.memory_new.clone(), said.memory_removed.clone()), (vec!["m".to_owned()], vec!["m".to_owned()]));
    assert_eq!(said.states_gone, [("flee".to_owned(), "walk".to_owned())]);
    assert_eq!(report.changes, [said]);
    let migration = migrate(&before, &after);
    let idle = &migration.leaves[before.leaf("idle").expect("a state")];
    assert_eq!((idle.to, idle.kept), (after.leaf("rest").expect("a state"), true));
    assert_eq!(report.versions, [format!("{SHY} v1 → v2")]);
}

#[test]
fn a_dry_run_that_fails_keeps_the_old_version() {
    use std::sync::Arc;
    use swarmyard::scene::problem::Problem;
    let mut host = open(&[(SHY, &shy("a = 1"))]);
    host.set_dry_run(Some(Arc::new(|live| {
        let bad = live.library.of_file(SHY).is_some_and(|item| item.definition.params()[0].name == "bad");
        if bad { vec![(SHY.to_owned(), Problem::error("fault", "it fails").in_file(SHY))] } else { Vec::new() }
    })));
    save(&mut host, &[(SHY, &shy("bad = 1"))]);
    assert_eq!(default_of(&host, "shy"), ["a=1"]);
    assert_eq!(host.problems().len(), 1);
}

#[test]
fn many_reloads_leave_no_threads_behind() {
    let mut host = open(&[(SHY, &shy("a = 1"))]);
    for value in 0..60 {
        save(&mut host, &[(SHY, &shy(&format!("a = {value}")))]);
    }
    let threads = std::fs::read_dir("/proc/self/task").map_or(0, |entries| entries.count());
    assert!(threads < 60, "{threads} threads");
}
