//! The models of pedestrians that cases compare, and how a scene that is written for one of them is told to use another.

use super::Context;
use super::opening::open_text;
use crate::experiment::Experiment;

/// A model as cases use it.
#[derive(Clone, Copy)]
pub(super) struct Model {
    /// As shown.
    pub(super) name: &'static str,
    /// The behavior.
    behavior: &'static str,
    /// The force that has `speed` and `way`.
    drive: &'static str,
    /// Further settings.
    sets: &'static str,
    /// Ticks per second that it needs; none for those of the scene.
    hz: Option<f64>,
    /// Time in which it takes on its speed, s.
    pub(super) tau: f64,
}

/// The collision-free speed model with the time gap that fits measured flows.
pub(super) const CSM: Model = Model {
    name: "csm, T 0.5 s",
    behavior: "crowd_csm",
    drive: "csm",
    sets: "\"csm.time_gap\": 0.5",
    hz: None,
    tau: 0.0,
};

/// The same with the default of the model.
pub(super) const CSM_DEFAULT: Model = Model { name: "csm, T 1 s", sets: "\"csm.time_gap\": 1.0", ..CSM };

/// The simple social force with the numbers of 2000 in accelerations, which keep bodies apart.
pub(super) const SIMPLE: Model = Model {
    name: "social force",
    behavior: "crowd",
    drive: "driving",
    sets: "\"social_force.A\": 25, \"social_force.B\": 0.08, \"social_force.wall_A\": 25, \"social_force.wall_B\": 0.08",
    hz: None,
    tau: 0.5,
};

/// Helbing and Molnar 1995.
pub(super) const ELLIPTIC: Model =
    Model { name: "social force 1995", behavior: "crowd_1995", drive: "driving", sets: "", hz: None, tau: 0.5 };

/// Helbing, Farkas and Vicsek 2000: hard bodies with a flesh of 0.1 m, at the ticks that its contacts need.
pub(super) const PRESSED: Model = Model {
    name: "social force 2000",
    behavior: "crowd_2000",
    drive: "driving",
    sets: "\"social_force_2000.margin\": 0.1",
    hz: Some(500.0),
    tau: 0.5,
};

/// Moussaïd and others 2009.
pub(super) const MEASURED: Model = Model {
    name: "moussaid 2009",
    behavior: "crowd_2009",
    drive: "driving",
    sets: "\"driving.tau\": 0.54",
    hz: None,
    tau: 0.54,
};

/// All of them, the calibrated ones.
pub(super) const MODELS: [Model; 5] = [CSM, SIMPLE, ELLIPTIC, PRESSED, MEASURED];

impl Model {
    /// Opens a shipped scene of `crowd_csm` with this model instead, after other changes of its text.
    pub(super) fn open(
        self,
        context: &Context,
        scene: &str,
        changes: &[(&str, &str)],
        seed: Option<u64>,
    ) -> Result<Experiment, String> {
        let text = self.rewritten(&super::opening::changed(context, scene, changes)?)?;
        open_text(context, scene, &text, seed)
    }

    /// The text with all its behaviors told to be this model.
    fn rewritten(self, text: &str) -> Result<String, String> {
        const OPENING: &str = "behavior: \"crowd_csm\", set: {";
        let mut parts = text.split(OPENING);
        let mut new = parts.next().unwrap_or_default().to_owned();
        let mut found = false;
        for part in parts {
            let (sets, rest) = part.split_once('}').ok_or("settings without an end")?;
            // Speed and way are what the case is about; the rest is the model's own.
            let kept = sets.split("\"csm.").filter(|set| set.starts_with("speed") || set.starts_with("way"));
            let mut sets: Vec<String> =
                kept.map(|set| format!("\"{}.{}", self.drive, set.trim().trim_end_matches(','))).collect();
            sets.extend((!self.sets.is_empty()).then(|| self.sets.to_owned()));
            new.extend(["behavior: \"", self.behavior, "\", set: {", &sets.join(", "), "}", rest]);
            found = true;
        }
        let hz = self.hz.map(|hz| format!("tick_hz: {hz},"));
        match (found, hz, new.find("tick_hz: ")) {
            (false, ..) => Err("no group of the scene has the behavior `crowd_csm`".to_owned()),
            (true, Some(hz), Some(at)) => {
                let end = new[at..].find(',').map_or(new.len(), |comma| at + comma + 1);
                new.replace_range(at..end, &hz);
                Ok(new)
            }
            _ => Ok(new),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_told_to_use_another_model() {
        let text = "tick_hz: 60, x, behavior: \"crowd_csm\", set: {\"csm.speed\": 1.3, \"csm.way\": (1, 0), \"csm.time_gap\": 0.5}, y";
        let new = PRESSED.rewritten(text).expect("it has a group of crowds");
        assert_eq!(
            new,
            "tick_hz: 500, x, behavior: \"crowd_2000\", set: {\"driving.speed\": 1.3, \"driving.way\": (1, 0), \
             \"social_force_2000.margin\": 0.1}, y"
        );
        assert_eq!(CSM.rewritten(text).expect("the same"), text);
        assert!(CSM.rewritten("nobody").is_err());
    }
}
