//! `validate` prints published figures beside ours, in words, as JSON and for build servers.

use super::program::{Project, call};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Cases that take a moment even without optimization; the whole suite runs in CI with the release build.
const BRIEF: [&str; 26] = [
    "reference-drill",
    "march",
    "head-drag",
    "reaction",
    "base-line",
    "angle-wrap",
    "soft-wall",
    "corridor",
    "latency-gains",
    "dress-right",
    "hidden-error",
    "switching",
    "relay",
    "symmetry",
    "invariance",
    "integrators",
    "alpha-lattice",
    "free-acceleration",
    "wall-equilibrium",
    "newton-third-law",
    "orca-head-on",
    "head-on-forces",
    "coincident",
    "rimea-7-ages",
    "rimea-10-rooms",
    "rimea-2-3-stairs",
];

#[test]
fn brief_cases_are_as_expected_on_the_shipped_scenes() {
    let answer = call(&[&["validate", "--json", "--project", HERE], &BRIEF[..]].concat()).with(0);
    let json = answer.json();
    let cases = json["cases"].as_array().expect("a list");
    assert_eq!(cases.len(), BRIEF.len());
    for (case, name) in cases.iter().zip(BRIEF) {
        assert_eq!(case["name"], name, "the order is that of the names");
        assert_eq!(case["ok"], true, "{case:#}");
        let quantities = case["quantities"].as_array().expect("a list");
        assert!(quantities.iter().any(|quantity| quantity["ok"] == true), "a case that judges nothing: {case:#}");
        assert!(case["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0), "{case:#}");
        assert!(case["seed"].is_string() && case["verdict"].is_string(), "{case:#}");
    }
}

/// Each answers to something, and a scene that a case names is shipped.
#[test]
fn every_case_has_a_source_and_a_scene_that_is_there() {
    let json = call(&["validate", "--list", "--json"]).with(0).json();
    let cases = json["cases"].as_array().expect("a list");
    let text = |case: &serde_json::Value, key: &str| case[key].as_str().expect("a text").to_owned();
    let mut names: Vec<String> = cases.iter().map(|case| text(case, "name")).collect();
    for case in cases {
        assert!(!text(case, "source").is_empty() && text(case, "about").ends_with('.'), "{case:#}");
        let scene = text(case, "scene");
        assert!(scene.is_empty() || std::path::Path::new(HERE).join(&scene).is_file(), "{scene}");
    }
    for number in 1..=15 {
        let named = |name: &&String| {
            name.strip_prefix("rimea-").is_some_and(|rest| rest.split('-').any(|n| n == number.to_string()))
        };
        assert!(names.iter().any(|name| named(&name)), "no case of RiMEA {number}");
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "two cases of one name");
    for source in ["R024", "R027", "R030", "R040", "R046", "R051", "R052", "R055", "R063", "R065", "R043"] {
        let numbers = |text: String| {
            text.split(", ").any(|part| {
                part == source || part.split_once('–').is_some_and(|(from, to)| (from..=to).contains(&source))
            })
        };
        assert!(cases.iter().any(|case| numbers(text(case, "source"))), "nothing answers to {source}");
    }
}

#[test]
fn one_case_by_name_and_an_unknown_one_names_the_nearest() {
    let answer = call(&["validate", "delivery", "base-line"]).with(0);
    assert!(answer.stdout.contains("99.99 %") && answer.stdout.contains("weighted components"), "{}", answer.stdout);
    assert!(answer.stdout.contains("seed 7 ·"), "{}", answer.stdout);
    call(&["validate", "delivry"]).with(2).saying("delivery");
    assert!(call(&["validate", "--list"]).with(0).stdout.contains("hidden-error"));
}

#[test]
fn without_the_scenes_a_case_says_what_it_lacks() {
    let project = Project::new();
    let answer = project.call(&["validate", "march"]).with(1);
    assert!(answer.stdout.contains("could not run"), "{}", answer.stdout);
}

/// What a model is known not to do is shown as failing, fails nothing, and fails strictly; the reader of a build server sees it as
/// skipped, and strictly as a failure.
#[test]
fn a_known_failure_is_shown_and_fails_only_strictly() {
    let project = Project::new();
    let file = project.path().join("report.xml");
    let path = file.display().to_string();
    let named = ["validate", "--project", HERE, "rimea-4-diagram-csm", "--junit", &path];
    let answer = call(&named).with(0).saying("fail as is known");
    assert!(answer.stdout.contains("FAILS, AS IS KNOWN"), "{}", answer.stdout);
    assert!(answer.stdout.contains("no, known") && answer.stdout.contains("known: "), "{}", answer.stdout);
    let tags = tags(&std::fs::read_to_string(&file).expect("it was written"));
    let of = |name: &str| tags.iter().filter(|tag| tag.name == name).collect::<Vec<_>>();
    let suite = of("testsuite");
    assert_eq!((suite[0].get("failures").as_str(), of("failure").len()), ("0", 0));
    assert_eq!(suite[0].get("skipped"), of("skipped").len().to_string());
    assert!(!of("skipped").is_empty());

    let json = call(&[&named[..], &["--strict", "--json"]].concat()).with(1).json();
    assert_eq!(json["ok"], false);
    assert_eq!(json["cases"][0]["verdict"], "known_to_fail");
    let quantities = json["cases"][0]["quantities"].as_array().expect("a list");
    assert!(quantities.iter().any(|quantity| quantity["ok"] == false && quantity["known"].is_string()));
    let strict = std::fs::read_to_string(&file).expect("it was written");
    assert!(strict.contains("<failure message=") && !strict.contains("<skipped"), "{strict}");
}

/// The reader of a build server sees a suite per case and a test per quantity.
#[test]
fn the_report_for_build_servers_is_well_formed_and_complete() {
    let project = Project::new();
    let file = project.path().join("report.xml");
    let path = file.display().to_string();
    let named = ["validate", "--project", HERE, "base-line", "coincident", "--json", "--junit", &path];
    let json = call(&named).with(0).json();
    let xml = std::fs::read_to_string(&file).expect("it was written");
    let tags = tags(&xml);
    let of = |name: &str| tags.iter().filter(|tag| tag.name == name).collect::<Vec<_>>();
    let quantities = |case: usize| json["cases"][case]["quantities"].as_array().expect("a list").len();
    assert_eq!(of("testsuite").len(), 2);
    assert_eq!(of("testcase").len(), quantities(0) + quantities(1));
    let suites = of("testsuite");
    assert_eq!(suites[0].get("name"), "base-line");
    assert_eq!(suites[0].get("tests"), quantities(0).to_string());
    assert_eq!(suites[1].get("failures"), "0");
    assert!(suites.iter().all(|suite| suite.get("time").parse::<f64>().is_ok_and(|time| time >= 0.0)));
    let seed = of("property").into_iter().find(|tag| tag.get("name") == "seed").map(|tag| tag.get("value"));
    assert_eq!(seed.as_deref(), Some("0 to 199"));
    let nowhere = project.path().join("no/such/folder.xml").display().to_string();
    call(&["validate", "--project", HERE, "base-line", "--junit", &nowhere]).with(1).saying("cannot be written");
}

/// A tag that opens, with its attributes.
struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
}

impl Tag {
    fn get(&self, name: &str) -> String {
        self.attributes
            .iter()
            .find(|attribute| attribute.0 == name)
            .map(|attribute| attribute.1.clone())
            .unwrap_or_default()
    }
}

/// Reads XML strictly enough to know that it is well-formed: tags nest, attributes are quoted, nothing reserved stands free.
fn tags(xml: &str) -> Vec<Tag> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").expect("the head of XML");
    while let Some((text, after)) = rest.split_once('<') {
        proper(text);
        let (inside, after) = after.split_once('>').expect("a tag ends");
        rest = after;
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "tags nest");
            continue;
        }
        let (body, closed) = inside.strip_suffix('/').map_or((inside, false), |body| (body, true));
        let (name, mut left) = body.split_once(' ').unwrap_or((body, ""));
        let mut attributes = Vec::new();
        while let Some((key, value)) = left.split_once("=\"") {
            let (value, more) = value.split_once('"').expect("a value ends");
            proper(value);
            attributes.push((key.trim().to_owned(), value.to_owned()));
            left = more;
        }
        assert!(left.trim().is_empty(), "{inside}");
        if !closed {
            open.push(name.to_owned());
        }
        found.push(Tag { name: name.to_owned(), attributes });
    }
    proper(rest);
    assert!(open.is_empty(), "{open:?}");
    found
}

/// No free `<`, `>` or quotation mark, and each `&` begins one of the known words.
fn proper(text: &str) {
    assert!(!text.contains(['<', '>', '"']), "{text}");
    for (at, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#10;", "&#9;", "&#13;"];
        assert!(known.iter().any(|word| text[at..].starts_with(word)), "{text}");
    }
}

/// What was measured so far is not lost: said, counted and written.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_cases_with_what_was_measured_so_far() {
    use std::process::Stdio;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.xml");
    let path = file.to_str().expect("a path");
    let arguments = ["validate", "--jobs", "1", "--junit", path, "free-acceleration", "faster-is-slower"];
    let mut command = crate::program::command(crate::program::package(), &arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // Until the first case is told.
    let mut first = String::new();
    let out = child.stdout.as_mut().expect("a pipe");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut first).expect("a line");
    assert!(first.starts_with("free-acceleration"), "{first}");
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let answer = crate::program::answer(&child.wait_with_output().expect("the program ends")).with(130);
    answer.saying("ended by Ctrl-C: 1 of 2 cases ran").saying("not run: faster-is-slower");
    let report = std::fs::read_to_string(&file).expect("the report is written");
    assert!(report.contains("free-acceleration") && !report.contains("faster-is-slower"), "{report}");
}
