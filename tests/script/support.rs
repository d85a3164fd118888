//! Projects of a few lines, and a short way to what is wrong with them.

use swarmyard::scene::problem::Problem;
use swarmyard::script::host::{Host, HostOptions};
use swarmyard::script::library::Natives;
use swarmyard::script::sources::Sources;

pub(crate) fn options() -> HostOptions {
    HostOptions { natives: Natives::built_in(), ..HostOptions::default() }
}

pub(crate) fn open(texts: &[(&str, &str)]) -> Host {
    Host::open_texts(Sources::from_texts(texts.iter().copied()), options()).expect("a worker starts")
}

/// What is wrong with one behavior file.
pub(crate) fn problems(text: &str) -> Vec<Problem> {
    open(&[("scripts/behaviors/shy.luau", text)]).problems().to_vec()
}

/// The only problem of one behavior file, as a person reads it.
pub(crate) fn only(text: &str) -> String {
    let problems = problems(text);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems[0].to_string().replace("scripts/behaviors/", "")
}
