//! Scenes, formations as data, manifests.

use swarmyard::formation::FormationData;
use swarmyard::scene::{AnyName, FormationFile, PluginFile, Scene, SceneFile};

use super::{run, seeds};

/// Changed copies of each file.
const CASES: u64 = 400;

#[test]
fn changed_scenes_load_or_are_refused() {
    run(&seeds(&["scenes", "plugins", "tests/fixtures"], &["ron"]), CASES, |name, bytes| {
        let Ok(loaded) = SceneFile::from_bytes(name, bytes) else { return };
        // Building a million agents is legal and slow; here it is the reader's turn.
        if loaded.scene.groups.iter().all(|group| group.value.count.as_ref().is_none_or(|count| count.value <= 2000)) {
            drop(Scene::build(&loaded, &AnyName));
        }
        drop(SceneFile::from_text(name, &loaded.scene.to_ron("")));
    });
}

#[test]
fn changed_manifests_and_formations_load_or_are_refused() {
    run(&seeds(&["plugins", "scripts", "scenes"], &["ron"]), CASES / 4, |name, bytes| {
        let text = String::from_utf8_lossy(bytes);
        drop(PluginFile::from_text(name, &text, Some("fireflies")));
        if let Ok(file) = FormationFile::from_bytes(name, bytes) {
            let _: usize = file.pairs.len();
        }
    });
}

#[test]
fn a_formation_of_any_numbers_has_places_or_a_reason() {
    use swarmyard::formation::{DataValue, NATIVES};
    let numbers = [-1.0, -0.0, 0.0, 1e-300, 1e-9, 0.3, 7.0, 1e9, 1e300, f64::INFINITY, f64::NAN];
    for native in NATIVES {
        for param in native.params {
            for number in numbers {
                let pairs = [
                    ("kind".to_owned(), DataValue::Text(native.name.to_owned())),
                    (param.name.to_owned(), DataValue::Number(number)),
                ];
                if let Ok(data) = FormationData::from_pairs("fuzz", &pairs) {
                    check(native.name, param.name, number, &data);
                }
            }
        }
    }
}

fn check(kind: &str, param: &str, number: f64, data: &swarmyard::formation::FormationData) {
    for n in [0, 1, 2, 17] {
        if let Ok(slots) = data.slots(&[], n) {
            assert_eq!(slots.len(), n, "{kind} {param}={number}");
            let finite = slots.places.iter().all(|place| place.position.is_finite() && place.heading.is_finite());
            assert!(finite, "{kind} {param}={number} with {n} places is not finite");
        }
    }
}
