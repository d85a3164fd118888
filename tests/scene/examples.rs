//! The scenes of the folder: each can be read, saved, and is RON for the crate `ron` too.

use std::path::{Path, PathBuf};

use swarmyard::scene::{AnyName, Catalogue, Known, Noun, Scene, SceneFile};

/// What is native, and the stems of the scripts: enough to know whether a name is there.
struct Project;

impl Catalogue for Project {
    fn knows(&self, noun: Noun, name: &str) -> Known {
        if self.names(noun).iter().any(|known| known == name) { Known::Yes } else { Known::No }
    }
    fn names(&self, noun: Noun) -> Vec<String> {
        let native: Vec<&str> = match noun {
            Noun::Behavior => swarmyard::steer::behavior::BEHAVIORS.iter().map(|behavior| behavior.name).collect(),
            Noun::Formation => swarmyard::formation::NATIVES.iter().map(|formation| formation.name).collect(),
            Noun::Metric => swarmyard::measure::Metric::ALL.iter().map(|metric| metric.id()).collect(),
            Noun::Force | Noun::Director => Vec::new(),
        };
        let folders: &[&str] = match noun {
            Noun::Behavior => &["behaviors", "machines"],
            Noun::Formation => &["formations"],
            Noun::Metric => &["metrics"],
            Noun::Director => &["directors"],
            Noun::Force => &["forces"],
        };
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
        let files =
            folders.iter().filter_map(|folder| std::fs::read_dir(scripts.join(folder)).ok()).flatten().flatten();
        let stems = files.filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_owned()));
        native.into_iter().map(str::to_owned).chain(stems).collect()
    }
    fn parameters(&self, _: Noun, _: &str) -> Option<Vec<String>> {
        None
    }
    fn addresses(&self, _: &str) -> Option<Vec<String>> {
        None
    }
}

fn scenes() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut files: Vec<_> = [folder.clone(), folder.join("validation")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("the folder is part of the sources"))
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "ron"))
        .collect();
    files.sort();
    files
}

#[test]
fn every_scene_is_read_built_and_saved_without_a_warning() {
    let files = scenes();
    assert!(files.len() >= 6);
    for path in files {
        let shown = path.display().to_string();
        let loaded = SceneFile::read(&path, &shown).unwrap_or_else(|problems| panic!("{}", lines(&problems)));
        let scene = Scene::build(&loaded, &Project).unwrap_or_else(|problems| panic!("{}", lines(&problems)));
        assert!(scene.warnings.is_empty(), "{}", lines(&scene.warnings));
        assert!(!loaded.scene.about.is_empty(), "{shown} says nothing about itself");
        assert!(loaded.notes.contains("Look for:"), "{shown} does not say what to look for");
        let saved = loaded.scene.to_ron(&loaded.notes);
        let again =
            SceneFile::from_text(&shown, &saved).unwrap_or_else(|problems| panic!("{saved}\n{}", lines(&problems)));
        assert_eq!(again.scene, loaded.scene, "{saved}");
        assert_eq!(Scene::build(&again, &AnyName).ok(), Some(scene), "{shown}: saved, it means something else");
    }
}

#[test]
fn every_scene_is_ron_for_the_crate_too() {
    for path in scenes() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let read: Result<serde::de::IgnoredAny, _> = ron::from_str(&text);
        assert!(read.is_ok(), "{}: {read:?}", path.display());
    }
}

fn lines(problems: &[swarmyard::scene::Problem]) -> String {
    problems.iter().map(swarmyard::scene::Problem::to_text).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_manual_page_is_what_the_reader_knows() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/README.md");
    let wanted = swarmyard::scene::reference::manual();
    if std::env::var_os("UPDATE_MANUAL").is_some() {
        std::fs::write(path, &wanted).expect("written");
    }
    let page = std::fs::read_to_string(path).expect("the page");
    assert!(page == wanted, "scenes/README.md is old: UPDATE_MANUAL=1 cargo test --test scene");
}
