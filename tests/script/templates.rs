//! What `new` writes loads without a word, and the type file is in step with the interface.

use swarmyard::scene::{AnyName, Scene, SceneFile};
use swarmyard::script::templates::Template;

use crate::support::open;

#[test]
fn every_template_loads_without_a_problem() {
    for template in Template::ALL {
        let (path, text) = (template.path("mine"), template.text("mine"));
        if template == Template::Scene {
            let loaded = SceneFile::from_text(&path, &text).expect("it reads");
            let problems = Scene::build(&loaded, &AnyName).err().unwrap_or_default();
            assert_eq!(problems, []);
            continue;
        }
        let host = open(&[(&path, &text)]);
        assert_eq!(host.problems(), [], "{path}");
        assert_eq!(host.library().items[0].name, "mine");
        assert_eq!(host.library().items[0].kind.word(), template.word());
    }
}
