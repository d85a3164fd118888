//! Files as editors leave them: half written, renamed, linked, not text; plugins good and broken; the watch.

use std::fs;
use std::path::Path;
use std::time::Duration;

use swarmyard::script::host::Host;
use swarmyard::script::project::scan;
use swarmyard::script::watch::Watch;

use crate::support::options;

fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        write(folder.path(), path, text);
    }
    folder
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().expect("a folder above")).expect("folders");
    fs::write(path, text).expect("a file");
}

const GOOD: &str = "return yard.behavior {}";

#[test]
fn temporary_names_and_types_are_no_scripts() {
    let folder = project(&[
        ("scripts/a.luau", GOOD),
        ("scripts/4913", ""),
        ("scripts/a.luau~", "x"),
        ("scripts/.a.luau.swp", "x"),
        ("scripts/.#a.luau", "x"),
        ("scripts/yard.d.luau", "x"),
        ("scripts/old.lua", GOOD),
        ("scripts/notes.md", "x"),
    ]);
    let scan = scan(folder.path());
    let files: Vec<&String> = scan.sources.files.keys().collect();
    assert_eq!(files, ["scripts/a.luau", "scripts/old.lua"]);
    assert_eq!(scan.problems, []);
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_project_is_not_followed_and_one_inside_is() {
    let outside = project(&[("secret.luau", "return 1")]);
    let folder = project(&[("scripts/lib/a.luau", "return {}"), ("scripts/deep/b.luau", GOOD)]);
    std::os::unix::fs::symlink(outside.path().join("secret.luau"), folder.path().join("scripts/lib/secret.luau"))
        .expect("a link");
    std::os::unix::fs::symlink(outside.path(), folder.path().join("scripts/lib/all")).expect("a link");
    std::os::unix::fs::symlink(folder.path().join("scripts/deep"), folder.path().join("scripts/lib/inside"))
        .expect("a link");
    let scan = scan(folder.path());
    assert!(!scan.sources.files.keys().any(|path| path.contains("secret")), "{:?}", scan.sources.files.keys());
    assert!(scan.sources.files.contains_key("scripts/lib/inside/b.luau"));
    assert_eq!(scan.problems.iter().filter(|problem| problem.code == "link-out").count(), 2);
    // The project folder itself may be a link.
    let link = outside.path().join("project");
    std::os::unix::fs::symlink(folder.path(), &link).expect("a link");
    assert_eq!(swarmyard::script::project::scan(&link).sources.files.len(), scan.sources.files.len());
}

#[test]
fn a_file_that_is_no_text_or_too_large_is_reported_and_the_rest_loads() {
    let folder = project(&[("scripts/a.luau", GOOD)]);
    fs::write(folder.path().join("scripts/b.luau"), [0xff, 0xfe, 0x00]).expect("a file");
    fs::write(folder.path().join("scripts/c.luau"), vec![b' '; 2 << 20]).expect("a file");
    let host = Host::open(folder.path(), options()).expect("a worker starts");
    let codes: Vec<&str> = host.problems().iter().map(|problem| problem.code.as_str()).collect();
    assert_eq!(codes, ["not-text", "too-large"]);
    assert_eq!(host.library().items.len(), 1);
}

#[test]
fn a_broken_plugin_is_reported_and_the_rest_runs() {
    let manifest = |name: &str| format!("Plugin(name: \"{name}\", version: \"1\", api: 1)");
    let folder = project(&[
        ("scripts/a.luau", GOOD),
        ("plugins/good/plugin.ron", &manifest("good")),
        ("plugins/good/scripts/a.luau", "local m = require(\"lib/m\")\nreturn yard.behavior {}"),
        ("plugins/good/scripts/lib/m.luau", "return {}"),
        ("plugins/good/scenes/s.ron", "Scene()"),
        ("plugins/broken/plugin.ron", "Plugin(name: 3"),
        ("plugins/broken/scripts/b.luau", GOOD),
        ("plugins/nameless/scripts/c.luau", GOOD),
    ]);
    let host = Host::open(folder.path(), options()).expect("a worker starts");
    let names: Vec<&str> = host.library().items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["a", "good/a"]);
    let codes: Vec<&str> = host.problems().iter().map(|problem| problem.code.as_str()).collect();
    assert!(codes.contains(&"wrong-type") && codes.contains(&"no-manifest"), "{codes:?}");
    assert_eq!(host.plugins()[0].scenes, ["plugins/good/scenes/s.ron"]);
}

/// Saves come within a second or two; the limit only ends a test that would hang.
const LONG: Duration = Duration::from_secs(20);

#[test]
fn saves_are_seen_in_every_way_that_editors_have() {
    let folder = project(&[("scripts/a.luau", GOOD)]);
    let watch = Watch::start(folder.path(), scan(folder.path())).expect("a thread");
    let changed = "return yard.behavior { about = \"x\" }";
    // By rename, with a temporary file that comes and goes.
    write(folder.path(), "scripts/4913", "");
    fs::remove_file(folder.path().join("scripts/4913")).expect("removed");
    write(folder.path(), "scripts/a.luau.tmp", changed);
    fs::rename(folder.path().join("scripts/a.luau.tmp"), folder.path().join("scripts/a.luau")).expect("renamed");
    let saved = watch.wait(LONG).expect("a save");
    assert!(saved.scripts);
    assert_eq!(&*saved.scan.sources.files["scripts/a.luau"].text, changed);
    // Truncated first, written later: the empty moment is not taken for the file.
    write(folder.path(), "scripts/a.luau", "");
    std::thread::sleep(Duration::from_millis(200));
    write(folder.path(), "scripts/a.luau", GOOD);
    let saved = watch.wait(LONG).expect("a save");
    assert_eq!(&*saved.scan.sources.files["scripts/a.luau"].text, GOOD);
    // Two files in one save are one change; touching a file is none.
    write(folder.path(), "scripts/a.luau", GOOD);
    write(folder.path(), "scripts/b.luau", GOOD);
    write(folder.path(), "scripts/c.luau", GOOD);
    let saved = watch.wait(LONG).expect("a save");
    assert_eq!(saved.scan.sources.files.len(), 3);
    assert!(watch.wait(Duration::from_millis(1500)).is_none());
}
