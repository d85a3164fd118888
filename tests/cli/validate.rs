//! `validate` prints published figures beside ours; every shipped case is as expected.

use super::program::{Project, call};

#[test]
fn every_case_is_as_expected_on_the_shipped_scenes() {
    let answer = call(&["validate", "--json", "--project", env!("CARGO_MANIFEST_DIR")]).with(0);
    let json = answer.json();
    let cases = json["cases"].as_array().expect("a list");
    assert!(cases.len() >= 17, "{}", cases.len());
    for case in cases {
        assert_eq!(case["ok"], true, "{case:#}");
        let quantities = case["quantities"].as_array().expect("a list");
        assert!(!quantities.is_empty(), "{case:#}");
        assert!(quantities.iter().any(|quantity| quantity["ok"] == true), "a case that judges nothing: {case:#}");
    }
    for source in ["R024", "R027", "R030", "R040", "R046", "R051", "R052", "R055", "R063", "R065", "R043"] {
        let numbers = |text: &str| {
            text.split(", ").any(|part| {
                part == source || part.split_once('–').is_some_and(|(from, to)| (from..=to).contains(&source))
            })
        };
        assert!(cases.iter().any(|case| case["source"].as_str().is_some_and(numbers)), "nothing answers to {source}");
    }
}

#[test]
fn one_case_by_name_and_an_unknown_one_names_the_nearest() {
    let answer = call(&["validate", "delivery", "base-line"]).with(0);
    assert!(answer.stdout.contains("99.99 %") && answer.stdout.contains("weighted components"), "{}", answer.stdout);
    call(&["validate", "delivry"]).with(2).saying("delivery");
    assert!(call(&["validate", "--list"]).with(0).stdout.contains("hidden-error"));
}

#[test]
fn without_the_scenes_a_case_says_what_it_lacks() {
    let project = Project::new();
    let answer = project.call(&["validate", "march"]).with(1);
    assert!(answer.stdout.contains("could not run"), "{}", answer.stdout);
}
