//! Parameters and forces: what the panel Parameters edits.

use glam::DVec3;

/// Value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// A number in the parameter's unit.
    Number(f64),
    /// On or off.
    Flag(bool),
    /// A vector in the parameter's unit.
    Vector(DVec3),
    /// A word, often one of `Param::options`.
    Text(String),
}

/// Where the value of a parameter comes from; later ones win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueSource {
    /// The default of the script or of the native definition.
    #[default]
    Script,
    /// The scene file.
    Scene,
    /// `--set` on the command line.
    CommandLine,
    /// The window.
    User,
}

/// Part of the parameter panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Weights and parameters of forces.
    #[default]
    Forces,
    /// Parameters of behaviors and machines: `p`, thresholds, limits.
    Behavior,
    /// Parameters of the formation.
    Formation,
    /// The body.
    Body,
    /// Limits of the contract.
    Contract,
    /// The network, the sensors, everything else.
    Other,
}

/// One parameter, one control.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Address as in `--set`, e.g. "drill.aligning.track_slot.k1".
    pub address: String,
    /// Short name, e.g. "k1".
    pub label: String,
    /// Index into `Frame::groups`.
    pub group: usize,
    /// State it belongs to, for machines.
    pub state: Option<String>,
    /// Name of the force it belongs to.
    pub force: Option<String>,
    /// Where it is shown.
    pub section: Section,
    /// The value in effect.
    pub value: ParamValue,
    /// What a reset gives.
    pub default: ParamValue,
    /// Smallest value, if bounded.
    pub min: Option<f64>,
    /// Largest value, if bounded.
    pub max: Option<f64>,
    /// Ends of the slider, where they are nearer than what may be typed.
    pub reach: Option<(f64, f64)>,
    /// Unit; empty without.
    pub unit: String,
    /// One line of help.
    pub about: String,
    /// Words to choose from.
    pub options: Vec<String>,
    /// Where the value comes from.
    pub source: ValueSource,
    /// A binding such as "p.clear" or "memory.leg": shown, not edited.
    pub bound: Option<String>,
}

/// A force that can be switched off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForceView {
    /// Address without parameter, e.g. "drones.form.separation".
    pub address: String,
    /// Name in the blend.
    pub name: String,
    /// Index into `Frame::groups`.
    pub group: usize,
    /// State, for machines.
    pub state: Option<String>,
    /// Whether it acts.
    pub enabled: bool,
    /// One line of help.
    pub about: String,
}
