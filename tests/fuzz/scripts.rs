//! Scripts: their text is loaded and run at top level, with whatever it became.

use swarmyard::script::host::{Host, HostOptions};
use swarmyard::script::library::Natives;
use swarmyard::script::sources::Sources;

use super::{run, seeds};

/// Changed copies of each file.
const CASES: u64 = 12;

#[test]
fn changed_scripts_load_or_are_refused() {
    let options = HostOptions { natives: Natives::built_in(), ..HostOptions::default() };
    run(&seeds(&["scripts", "plugins", "tests/fixtures"], &["luau", "lua"]), CASES, |name, bytes| {
        let text = String::from_utf8_lossy(bytes);
        // Under a name in scripts/: what lies in a plugin or a lib folder is then a definition like any other.
        let file = format!("scripts/fuzz/{}", name.rsplit('/').next().unwrap_or("a.luau"));
        let host = Host::open_texts(Sources::from_texts([(file.as_str(), text.as_ref())]), options.clone());
        let host = host.expect("the worker thread lives through every text");
        for problem in host.problems() {
            assert!(!problem.message.is_empty(), "a problem without words");
            drop(problem.to_text());
        }
    });
}
