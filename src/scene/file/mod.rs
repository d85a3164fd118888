//! Scene files as they are typed: [`SceneFile`] mirrors the RON text field by field, with places and defaults.
//!
//! It checks what one value can tell (type, range, known words); what needs other values or names is [`super::build`]'s.

mod body;
mod flow;
mod group;
mod measuring;
mod navigation;
mod obstacle;
mod schedule;
mod spawn;
mod tape;

use std::path::Path;

use glam::DVec3;

use super::address::{Address, field_hint};
use super::decode::{Decoder, Limit, Shape, Spanned, Table, record, words};
use super::nearest::suggestion;
use super::problem::Problem;
use super::ron::{self, Document, Source};
use super::value::SetValue;
use crate::sim::{Area, Edge, Integrator};

pub use body::{AvoidFile, BodyFile, CsmFile, OrcaFile};
pub use flow::{
    BoxArea, DiscArea, ExitFile, LeastCrowdedFile, LegFile, LineArea, NearestFile, PlaceFile, PolygonArea, QueueFile,
    RateAt, SharesFile, ShuffleFile, SourceFile, StopFile, WaitingFile, WaypointFile,
};
pub use group::{ContractFile, FormationUse, GroupFile, GroupRecord, NetworkFile, NoiseFile, PoseFile, ReassignFile};
pub use measuring::{MeasureAreaFile, MeasureLineFile};
pub use navigation::{FloorFile, LinkFile, NavigationFile, ZoneFile};
pub use obstacle::{BoxFile, DiscFile, ObstacleFile, PolygonFile, PolylineFile, SphereFile, WallFile};
pub use schedule::{
    ActionFile, AtFile, CloseFile, FormFile, LeadFile, MarchFile, OpenFile, ReleaseFile, RemoveFile, SendFile, SetFile,
    SpawnMoreFile, Target,
};
pub use spawn::{BoxSpawn, DiscSpawn, GridSpawn, PointsRecord, PointsSpawn, Range, RingSpawn, SpawnCommon, SpawnFile};
pub use tape::{Role, TapeFile};

/// The version of the scene format that this program reads and writes.
pub const FORMAT: u32 = 1;
/// Agents in one group at most.
pub const MAX_COUNT: f64 = 1e6;

words!(Edge, "edge", [Open, Clamp, Wrap, Turn, Remove]);
words!(Integrator, "integrator", [SemiImplicitEuler, ExplicitEuler]);
words!(ViewMode, "view mode", [Top, Perspective]);

/// How the yard is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ViewMode {
    /// From above, without perspective.
    #[default]
    Top,
    /// From the side, for scenes with height.
    Perspective,
}

record! {
    /// The area of the world in m.
    AreaFile "area" {
        /// lower corner in m
        min: DVec3 = DVec3::ZERO, required;
        /// upper corner in m
        max: DVec3 = DVec3::ZERO, required;
    }
}

impl AreaFile {
    /// The area as the core knows it.
    pub fn area(&self) -> Area {
        Area { min: self.min, max: self.max }
    }
}

record! {
    /// Where the window looks at first.
    ViewFile "view" {
        /// the point in the middle in m; the middle of the area or of the agents without it
        center: Option<DVec3> = None, optional;
        /// pixels per m; all is shown without it
        zoom: Option<f64> = None, optional, Limit::Positive;
        /// `Top` or `Perspective`
        mode: ViewMode = ViewMode::Top, optional;
        /// what colors the agents: `group`, `speed`, `state` or a field of memory
        color_by: Option<Spanned<String>> = None, optional;
    }
}

record! {
    /// A director or a metric by name with its own settings.
    Named "use" {
        /// its name
        name: Spanned<String> = Spanned::default(), required;
        /// the groups it looks at; all without it
        of: Vec<Spanned<String>> = Vec::new(), optional;
        /// values of its parameters
        set: Table<SetValue> = Table::default(), optional;
    }
}

/// `"rush"` or `(name: "rush", set: {"period": 5})`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Use(pub Named);

impl Shape for Use {
    fn decode(node: &ron::Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        match &node.kind {
            ron::Kind::Text(text) => {
                let name = Spanned { value: text.clone(), span: node.span };
                Some(Self(Named { name, ..Named::default() }))
            }
            ron::Kind::Struct { .. } => Named::decode(node, decoder).map(Self),
            _ => {
                decoder.mismatch(node, "a name in quotes or `(name: …, of: […], set: {…})`");
                None
            }
        }
    }
    fn encode(&self) -> ron::Node {
        if self.0.of.is_empty() && self.0.set.0.is_empty() { self.0.name.encode() } else { self.0.encode() }
    }
}

record! {
    /// A whole scene as typed.
    SceneFile "Scene" {
        /// version of the format, 1
        format: Spanned<u32> = Spanned::new(FORMAT), required;
        /// the name in menus
        title: String = String::new(), required;
        /// what it shows, a line or two
        about: String = String::new(), optional;
        /// seed of all random numbers
        seed: u64 = 0, optional;
        /// ticks per second
        tick_hz: f64 = 60.0, optional, Limit::Within(0.1, 10_000.0);
        /// length of a run in s
        duration: f64 = 30.0, optional, Limit::Within(0.0, 1e7);
        /// `SemiImplicitEuler` or `ExplicitEuler`
        integrator: Integrator = Integrator::SemiImplicitEuler, optional;
        /// what happens at the edge of the area: `Open`, `Clamp`, `Wrap`, `Turn` or `Remove`
        edge: Spanned<Edge> = Spanned::new(Edge::Open), optional;
        /// the area in m
        area: Option<Spanned<AreaFile>> = None, optional;
        /// what stands in the way
        obstacles: Vec<Spanned<ObstacleFile>> = Vec::new(), optional;
        /// paths round obstacles for agents with a goal
        navigation: Option<Spanned<NavigationFile>> = None, optional;
        /// the agents
        groups: Vec<Spanned<GroupFile>> = Vec::new(), optional;
        /// where agents enter while it runs
        sources: Vec<Spanned<SourceFile>> = Vec::new(), optional;
        /// where journeys lead: waypoints, waiting places, queues, exits
        stops: Vec<Spanned<StopFile>> = Vec::new(), optional;
        /// directors by name
        directors: Vec<Use> = Vec::new(), optional;
        /// metrics of scripts by name, beside the native ones
        metrics: Vec<Use> = Vec::new(), optional;
        /// lines at which people are counted
        lines: Vec<Spanned<MeasureLineFile>> = Vec::new(), optional;
        /// areas in which density and speed are measured
        areas: Vec<Spanned<MeasureAreaFile>> = Vec::new(), optional;
        /// trajectory files that are played, or shown as ghosts beside the run
        tapes: Vec<Spanned<TapeFile>> = Vec::new(), optional;
        /// what is plotted at the start: `group.metric`, `lines.NAME.metric`, `areas.NAME.metric`
        plots: Vec<Spanned<String>> = Vec::new(), optional;
        /// the sliders that come first in the window, by address: `fish.count`; without it the behaviors say which
        panel: Vec<Spanned<String>> = Vec::new(), optional;
        /// what happens when
        schedule: Vec<AtFile> = Vec::new(), optional;
        /// where the window looks at first
        view: Option<ViewFile> = None, optional;
    }
}

/// A scene file that could be read, with what later problems need to point into it.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// What was typed.
    pub scene: SceneFile,
    /// The comment lines at the top.
    pub notes: String,
    /// The text.
    pub source: Source,
}

impl SceneFile {
    /// Reads the text of a scene; `file` is the name that problems show.
    ///
    /// # Errors
    /// All problems of the text, each with line and column, at most about 50.
    pub fn from_text(file: &str, text: &str) -> Result<Loaded, Vec<Problem>> {
        Self::from_document(ron::read_text(file, text))
    }

    /// Reads the bytes of a scene; see [`Self::from_text`].
    pub fn from_bytes(file: &str, bytes: &[u8]) -> Result<Loaded, Vec<Problem>> {
        Self::from_document(ron::read_bytes(file, bytes))
    }

    /// Reads a scene from a file on disk; `shown` is the name that problems show.
    pub fn read(path: &Path, shown: &str) -> Result<Loaded, Vec<Problem>> {
        Self::from_document(ron::read_file(path, shown)?)
    }

    fn from_document(document: Document) -> Result<Loaded, Vec<Problem>> {
        let mut decoder = Decoder::new(&document.source);
        let decoded =
            if document.root.kind == ron::Kind::Broken { None } else { Self::decode(&document.root, &mut decoder) };
        let mut problems = document.problems;
        problems.append(&mut decoder.problems);
        problems.truncate(ron::MAX_PROBLEMS + 1);
        if let Some(scene) = &decoded
            && scene.format.value != FORMAT
        {
            let message = format!("format {} is not known; this program reads format {FORMAT}", scene.format.value);
            let problem = document.source.error(scene.format.span, "unknown-format", message);
            // A newer format explains every other problem, so it comes first.
            problems.insert(0, problem.hint("update swarmyard, or write `format: 1`"));
        }
        match decoded {
            Some(scene) if problems.is_empty() => Ok(Loaded { scene, notes: document.notes, source: document.source }),
            _ => Err(problems),
        }
    }

    /// Sets what an address names, as `--set` and the window do, before the scene is built; names and values below a group
    /// are checked when it is.
    ///
    /// # Errors
    /// An address whose first name is neither a group nor a director of this scene.
    pub fn assign(&mut self, address: &Address, value: SetValue) -> Result<(), Problem> {
        let (owner, below) = (address.group(), address.below_group());
        if below.is_empty() {
            let problem = Problem::error("bad-address", format!("the address `{address}` names no value"));
            return Err(problem.hint(field_hint(owner).unwrap_or_else(|| format!("name what to set: `{owner}.k1`"))));
        }
        if let Some(group) = self.groups.iter_mut().find(|group| group.value.name.value == owner) {
            group.value.set.insert(&below, value);
            return Ok(());
        }
        if let Some(director) = self.directors.iter_mut().find(|entry| entry.0.name.value == owner) {
            director.0.set.insert(&below, value);
            return Ok(());
        }
        let groups = self.groups.iter().map(|group| group.value.name.value.as_str());
        let known: Vec<_> = groups.chain(self.directors.iter().map(|entry| entry.0.name.value.as_str())).collect();
        let message = format!("nothing has the address `{address}`: there is no group `{owner}`");
        Err(Problem::error("unknown-address", message)
            .maybe_hint(field_hint(owner).or_else(|| suggestion(owner, known))))
    }

    /// The text of `loaded` with what is different in this scene written into it, so that all else keeps its words and its
    /// comments. None where that cannot be done.
    pub fn patched(&self, loaded: &Loaded) -> Option<String> {
        let tree = ron::read_text(&loaded.source.file, &loaded.source.text).root;
        let text = ron::patch(&loaded.source.text, &tree, &loaded.scene.encode(), &self.encode())?;
        let again = Self::from_text(&loaded.source.file, &text).ok()?;
        (again.scene.encode() == self.encode()).then_some(text)
    }

    /// The text of this scene, with comment lines on top: what it takes to load an equal one. Defaults are left out.
    pub fn to_ron(&self, notes: &str) -> String {
        ron::to_text(notes, &self.encode())
    }
}
