//! Every example of the manual runs: lua blocks that begin with the name of a file are put into a project, checked and played.

use crate::program::{Project, package, scene};

struct Example {
    file: String,
    text: String,
    /// Page and line, for messages.
    place: String,
}

fn examples() -> Vec<Example> {
    let mut examples = Vec::new();
    for page in ["README.md", "scripts/README.md", "scenes/README.md", "plugins/README.md"] {
        let text = std::fs::read_to_string(package().join(page)).expect("the page is there");
        collect(page, &text, &mut examples);
    }
    examples
}

fn collect(page: &str, text: &str, examples: &mut Vec<Example>) {
    let mut block: Option<(usize, String)> = None;
    for (index, line) in text.lines().enumerate() {
        block = match (block, line.trim()) {
            (None, "```lua") => Some((index + 1, String::new())),
            (Some((start, body)), "```") => {
                let first = body.lines().next().unwrap_or_default();
                if let Some(file) = first
                    .strip_prefix("-- ")
                    .filter(|first| first.rsplit_once('.').is_some_and(|(_, ending)| ending == "luau"))
                {
                    let place = format!("{page}:{start}");
                    examples.push(Example { file: file.to_owned(), text: body.clone(), place });
                }
                None
            }
            (Some((start, body)), _) => Some((start, body + line + "\n")),
            (None, _) => None,
        };
    }
}

/// A scene that uses the definition.
fn using(example: &Example) -> String {
    let name = example.file.rsplit('/').next().unwrap_or_default().trim_end_matches(".luau");
    let plain = scene("flock");
    match example.file.split('/').nth(1) {
        Some("behaviors" | "machines") => scene(name),
        Some("forces") => scene("try_force"),
        Some("formations") => plain.replace("(name: \"line\")", &format!("(name: \"{name}\")")),
        Some("metrics") => {
            plain.replace("groups:", &format!("metrics: [\"{name}\"], plots: [\"crowd.{name}\"], groups:"))
        }
        Some("directors") => plain.replace("groups:", &format!("directors: [\"{name}\"], groups:")),
        other => panic!("{}: what is in {other:?}?", example.place),
    }
}

#[test]
fn every_example_of_the_manual_is_accepted_and_runs() {
    let examples = examples();
    assert!(examples.len() >= 10, "only {} examples found", examples.len());
    let project = Project::new();
    for example in &examples {
        project.write(&example.file, &example.text);
    }
    for example in &examples {
        let name = example.file.rsplit('/').next().unwrap_or_default().trim_end_matches(".luau");
        if example.file.contains("/forces/") {
            let wrapper = format!("return yard.behavior {{ forces = {{ {name} = 1 }} }}\n");
            project.write("scripts/behaviors/try_force.luau", &wrapper);
        }
        project.write("scenes/try.ron", &using(example));
        let checked = project.call(&["check", &example.file]);
        assert_eq!(checked.status, 0, "{} ({}):\n{}", example.place, example.file, checked.stderr);
        let played = project.call(&["run", "scenes/try.ron", "--seconds", "10", "--json"]);
        assert_eq!(played.status, 0, "{} ({}):\n{}", example.place, example.file, played.stderr);
    }
}

#[test]
fn the_mistake_of_the_readme_gives_the_message_of_the_readme() {
    let example =
        examples().into_iter().find(|example| example.file.ends_with("shy.luau")).expect("README has shy.luau");
    let project = Project::new()
        .with(&example.file, &example.text.replace("other.distance)", "other.distanse)"))
        .with("scenes/try.ron", &scene("shy"));
    let answer = project.call(&["run", "scenes/try.ron", "--json"]).with(1);
    let message = answer.json()["problems"][0]["message"].as_str().unwrap_or_default().to_owned();
    assert!(
        answer.stderr.contains("`distanse`") && answer.stderr.contains("`distance`"),
        "{message}\n{}",
        answer.stderr
    );
    let shown = std::fs::read_to_string(package().join("README.md")).expect("README.md is there");
    assert!(shown.contains("has no field `distanse`"), "README.md shows the message");
}
