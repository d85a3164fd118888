//! The scripts of a project as the experiment uses them: names, minds, formations, metrics, directors, reload.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::frame::{Drawing, PluginView, SceneEntry, ScriptStatus, ScriptView};
use super::library::{self, Library};
use super::mind::{GroupMind, Still};
use super::native::NativeGroup;
use super::scripted::{add_scripts, formation_name, origin_of, scripted_slots};
use crate::formation::Slots;
use crate::machine::program::Program;
use crate::scene::problem::Problem;
use crate::scene::{FormationFile, Noun, Scene};
use crate::script::define::Kind;
use crate::script::host::{Host, HostGone, HostOptions};
use crate::script::library::Natives;
use crate::script::project::{Plugin, scan};
use crate::script::runtime::dry::Rehearsals;
use crate::script::runtime::engine::{self, ask};
use crate::script::runtime::mind::{Outbox, ScriptMind};
use crate::script::runtime::request::{Direction, Leavings, Mark, Press};
use crate::script::watch::Watch;
use crate::sim::{GroupId, Value, World};

/// Places of a formation, and whether they move with time.
#[derive(Clone, Debug)]
pub struct Made {
    /// Places in the formation's frame.
    pub slots: Slots,
    /// Whether they are to be asked for every tick.
    pub moving: bool,
}

/// A reload that took effect.
#[derive(Clone, Debug, Default)]
pub struct Reload {
    /// The tick before which it took effect.
    pub tick: u64,
    /// Files whose new version runs since, as `FILE v1 → v2`.
    pub files: Vec<String>,
    /// What changed, in one line each.
    pub lines: Vec<String>,
    /// Number of the load.
    pub generation: u64,
}

/// When a version of a script came into effect.
#[derive(Clone, Debug)]
struct Since {
    version: u32,
    at: std::time::Instant,
}

/// The scripts of a project.
pub struct Scripts {
    pub(super) host: Option<Host>,
    pub(super) watch: Option<Watch>,
    pub(super) project: PathBuf,
    pub(super) library: Arc<Library>,
    pub(super) rehearsals: Rehearsals,
    pub(super) outbox: Outbox,
    pub(super) leavings: Leavings,
    pub(super) metrics: Vec<crate::script::runtime::dry::MetricUse>,
    pub(super) directors: Vec<(String, Vec<(String, Value)>)>,
    pub(super) presses: Vec<Press>,
    since: std::collections::BTreeMap<String, Since>,
    pub(super) held_back: Vec<String>,
    pub(super) data: Vec<String>,
    pub(super) drawing: bool,
    pub(super) marks: Vec<Mark>,
    pub(super) plots: std::collections::BTreeMap<String, f64>,
    pub(super) extra_problems: Vec<Problem>,
    pub(super) changed_data: Vec<String>,
}

impl Scripts {
    /// Loads all scripts of a project. Problems are returned, not fatal: what is sound runs.
    pub fn load(project: &Path, watch: bool) -> (Self, Vec<Problem>) {
        let rehearsals = Rehearsals::default();
        let dry_run = Some(rehearsals.dry_run());
        let options = HostOptions { natives: Natives::built_in(), native_code: true, dry_run };
        let mut problems = Vec::new();
        let host = match Host::open(project, options) {
            Ok(host) => Some(host),
            Err(error) => {
                problems.push(gone(&error));
                None
            }
        };
        let found = scan(project);
        let mut scripts = Self {
            host,
            watch: None,
            project: project.to_owned(),
            library: Arc::default(),
            rehearsals,
            outbox: Outbox::default(),
            leavings: Leavings::default(),
            metrics: Vec::new(),
            directors: Vec::new(),
            presses: Vec::new(),
            since: std::collections::BTreeMap::new(),
            held_back: Vec::new(),
            data: found.data.keys().cloned().collect(),
            drawing: false,
            marks: Vec::new(),
            plots: std::collections::BTreeMap::new(),
            extra_problems: Vec::new(),
            changed_data: Vec::new(),
        };
        if watch {
            scripts.watch = match Watch::start(project, found) {
                Ok(watch) => Some(watch),
                Err(error) => {
                    let message = format!("files are not watched: {error}");
                    problems.push(Problem::warning("not-watched", message).hint("reload by hand (Ctrl+R)"));
                    None
                }
            };
        }
        scripts.make_library();
        problems.extend(scripts.problems());
        (scripts, problems)
    }

    /// What is wrong with scripts and data files as they stand on disk.
    pub fn problems(&self) -> Vec<Problem> {
        let scripts = self.host.iter().flat_map(|host| host.problems().iter().cloned());
        scripts.chain(self.extra_problems.iter().cloned()).collect()
    }

    /// Everything that has a name.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Changes when the code or data behind a formation does; none for native ones.
    pub fn formation_stamp(&self, name: &str) -> Option<u64> {
        let host = self.host.as_ref()?;
        host.library().find(Kind::Formation, name).map(|item| item.hash)
    }

    /// Grows with each load.
    pub fn generation(&self) -> u64 {
        self.host.as_ref().map_or(0, |host| host.library().generation)
    }

    pub(super) fn make_library(&mut self) {
        let mut library = Library::native();
        self.extra_problems.clear();
        for file in &self.data {
            let Some(name) = formation_name(file) else { continue };
            let read = FormationFile::read(&self.project.join(file), file);
            match read.and_then(|read| read.to_data(&name)) {
                Ok(data) => library.add_data(data, origin_of(file)),
                Err(problems) => {
                    self.extra_problems.extend(problems);
                    library.broken.insert((Noun::Formation, name));
                }
            }
        }
        if let Some(host) = &self.host {
            add_scripts(&mut library, host);
            self.note_versions();
        }
        self.library = Arc::new(library);
    }

    #[expect(clippy::disallowed_methods, reason = "shown to people as the age of a version, read by no tick")]
    fn note_versions(&mut self) {
        let Some(host) = &self.host else { return };
        let now = std::time::Instant::now();
        for item in &host.library().items {
            let known = self.since.get(&item.file).is_some_and(|since| since.version == item.version);
            if !known {
                self.since.insert(item.file.clone(), Since { version: item.version, at: now });
            }
        }
    }

    /// The mind of a group. A program that cannot run leaves its agents still, with a problem.
    pub fn mind(
        &mut self,
        program: &Arc<Program>,
        group: GroupId,
        name: &str,
        values: Vec<Value>,
    ) -> Box<dyn GroupMind> {
        if NativeGroup::can_run(program) {
            match NativeGroup::new(program) {
                Ok(mut mind) => {
                    for (slider, value) in values.iter().enumerate() {
                        mind.set(slider, value);
                    }
                    return Box::new(mind);
                }
                Err(text) => self.leavings.problems.push(Problem::error("bad-blend", text)),
            }
            return Box::new(Still::new(Arc::clone(program)));
        }
        let Some(host) = &self.host else { return Box::new(Still::new(Arc::clone(program))) };
        match ScriptMind::new(host.door(), self.outbox.clone(), group.index(), name, Arc::clone(program), values) {
            Ok(mind) => Box::new(mind),
            Err(error) => {
                let problem = Problem::error("no-mind", error.to_string()).group(name);
                self.leavings.problems.push(problem);
                self.leavings.faults += 1;
                Box::new(Still::new(Arc::clone(program)))
            }
        }
    }

    /// A scene starts: nothing of the run before is left.
    pub fn start(&mut self, scene: &Scene) {
        drop(self.outbox.take());
        self.presses.clear();
        self.marks.clear();
        self.plots.clear();
        self.metrics.clear();
        for entry in &scene.metrics {
            // Without `of` there is one number per group, else one of all that it names.
            let each = if entry.of.is_empty() {
                (0..scene.groups.len()).map(|group| vec![group]).collect()
            } else {
                vec![entry.of.clone()]
            };
            self.metrics.extend(each.into_iter().map(|of| (entry.name.clone(), of, entry.set.clone())));
        }
        self.directors = scene.directors.iter().map(|entry| (entry.name.clone(), entry.set.clone())).collect();
        let directors = self.directors.clone();
        self.tell(move |live| {
            ask(live, |live, runtime| {
                runtime.clear();
                runtime.seat_directors(live, &directors, &[])
            })
        });
    }

    pub(super) fn tell<R: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut crate::script::reload::Live) -> Result<R, String> + Send + 'static,
    ) -> Option<R> {
        let host = self.host.as_ref()?;
        let answer = host.call(work);
        match answer {
            Ok(Ok(answer)) => Some(answer),
            Ok(Err(text)) => {
                self.leavings.problems.push(Problem::error("script-host", text));
                self.leavings.faults += 1;
                None
            }
            Err(error) => {
                self.leavings.problems.push(gone(&error));
                self.leavings.faults += 1;
                None
            }
        }
    }

    /// The places of a formation by name for `n` agents, `time` seconds after its order.
    ///
    /// # Errors
    /// What the formation says: too few places, a bad parameter, a script's fault with its place.
    pub fn slots(&self, name: &str, params: &[(String, Value)], n: usize, time: f64) -> Result<Made, Problem> {
        let Some(entry) = self.library.formations.get(name) else {
            let known = self.library.formations.keys().map(String::as_str);
            let hint = crate::scene::suggestion(name, known);
            return Err(Problem::error("unknown-formation", format!("there is no formation `{name}`")).maybe_hint(hint));
        };
        if let Some(made) = library::native_slots(&entry.kind, params, n) {
            return made.map(|slots| Made { slots, moving: false }).map_err(|error| {
                let problem = Problem::error("formation", format!("formation `{name}`: {error}"));
                match &entry.origin.file {
                    Some(file) => problem.in_file(file.clone()),
                    None => problem,
                }
            });
        }
        let Some(host) = &self.host else { return Err(Problem::error("script-host", "no scripts are loaded")) };
        let (name, params) = (name.to_owned(), params.to_vec());
        let file = entry.origin.file.clone();
        let made = host.call(move |live| {
            let answer = engine::with(live, |live, runtime| Ok(scripted_slots(live, runtime, &name, &params, n, time)));
            answer.unwrap_or_else(|error| Err(Box::new(Problem::error("script-host", error.to_string()))))
        });
        match made {
            Ok(Ok(made)) => Ok(made),
            Ok(Err(problem)) => {
                let problem = *problem;
                Err(match file {
                    Some(file) if problem.file.is_none() => problem.in_file(file),
                    _ => problem,
                })
            }
            Err(error) => Err(gone(&error)),
        }
    }

    /// Values of the scene's scripted metrics: (id, value, unit, one line), then what scripts plot.
    pub fn measure(&mut self, world: &Arc<World>) -> Vec<(String, Option<f64>, String, String)> {
        let mut values = Vec::new();
        for (name, of, set) in self.metrics.clone() {
            let entry = self.library.metrics.get(&name).cloned().unwrap_or_default();
            let (asked, frozen) = (name.clone(), Arc::clone(world));
            let of_one = if let [group] = of[..] { Some(group) } else { None };
            let answer = self.tell(move |live| {
                ask(live, |live, runtime| {
                    let mut leavings = Leavings::default();
                    let value = runtime.measure(live, &frozen, &asked, &of, &set, &mut leavings)?;
                    Ok((value, leavings))
                })
            });
            let value = answer.and_then(|(value, leavings)| {
                self.leavings.append(leavings);
                value
            });
            let id = match of_one {
                Some(group) => format!("{}.{name}", world.groups[group].name),
                None => name,
            };
            values.push((id, value, entry.unit, entry.about));
        }
        let plotted = self.plots.iter();
        values.extend(
            plotted.map(|(name, value)| (name.clone(), Some(*value), String::new(), "plotted by a script".to_owned())),
        );
        values
    }

    /// Lets the directors act before a tick.
    pub fn direct(&mut self, world: &Arc<World>) -> Direction {
        let presses = std::mem::take(&mut self.presses);
        if self.directors.is_empty() {
            return Direction::default();
        }
        let frozen = Arc::clone(world);
        let direction = self.tell(move |live| {
            ask(live, |live, runtime| {
                let direction = runtime.direct(live, &frozen, &presses)?;
                Ok(direction)
            })
        });
        let mut direction = direction.unwrap_or_default();
        self.leavings.append(std::mem::take(&mut direction.leavings));
        direction
    }

    /// A button of a director, or an event for all of them if `director` is empty.
    pub fn press(&mut self, director: &str, name: &str, value: Option<Value>) {
        self.presses.push(Press { director: director.to_owned(), name: name.to_owned(), value });
    }

    /// Other parameters for a director, from its next call on.
    pub fn set_director(&mut self, name: &str, param: &str, value: &Value) {
        let Some((_, set)) = self.directors.iter_mut().find(|(known, _)| known == name) else { return };
        set.retain(|(known, _)| known != param);
        set.push((param.to_owned(), value.clone()));
        let (name, set) = (name.to_owned(), set.clone());
        self.tell(move |live| ask(live, |live, runtime| runtime.set_director(live, &name, &set)));
    }

    /// What scripts left since the last call: problems, log lines, plotted numbers, marks. The number of faults tells whether a
    /// run without `--keep-going` ends.
    pub fn drain(&mut self) -> Leavings {
        let mut leavings = std::mem::take(&mut self.leavings);
        leavings.append(self.outbox.take());
        for (name, value) in leavings.plots.drain(..) {
            self.plots.insert(name, value);
        }
        if self.drawing {
            self.marks = std::mem::take(&mut leavings.marks);
        }
        leavings
    }

    /// Whether scripts' drawings are collected; free when they are not.
    pub fn collect_drawings(&mut self, on: bool) {
        self.drawing = on;
        if !on {
            self.marks.clear();
        }
        self.tell(move |live| ask(live, |_, runtime| runtime.set_drawing(on)));
    }

    /// What scripts drew in the last tick.
    pub fn drawings(&self) -> Arc<[Drawing]> {
        self.marks.iter().map(drawing_of).collect()
    }

    /// Scripts in effect, for lists.
    pub fn script_views(&self) -> Vec<ScriptView> {
        let Some(host) = &self.host else { return Vec::new() };
        let views = host.library().items.iter().filter_map(|item| {
            let since = self.since.get(&item.file)?;
            let broken = self.held_back.contains(&item.file);
            let versions = host.versions(&item.file);
            let earlier = versions.iter().rev().map(|version| version.number).filter(|&number| number != item.version);
            Some(ScriptView {
                file: item.file.clone(),
                kind: item.kind.word().to_owned(),
                name: item.name.clone(),
                version: item.version,
                hash: format!("{:08x}", item.hash as u32),
                since: since.at,
                status: if broken { ScriptStatus::Broken } else { ScriptStatus::Current },
                earlier: earlier.collect(),
                used: false,
            })
        });
        views.collect()
    }

    /// Scenes of the project and of its plugins.
    pub fn scene_views(&self) -> Vec<SceneEntry> {
        let scenes = self.data.iter().filter(|file| file.contains("scenes/") && !file.ends_with("plugin.ron"));
        let entry = |file: &String| {
            let text = std::fs::read_to_string(self.project.join(file)).unwrap_or_default();
            let loaded = crate::scene::SceneFile::from_text(file, &text).ok();
            SceneEntry {
                path: file.clone(),
                title: loaded.as_ref().map_or_else(|| file.clone(), |loaded| loaded.scene.title.clone()),
                about: loaded.map_or_else(|| "has problems, see check".to_owned(), |loaded| loaded.scene.about),
                origin: origin_of(file).from,
            }
        };
        scenes.map(entry).collect()
    }

    /// Plugins found.
    pub fn plugin_views(&self) -> Arc<[PluginView]> {
        let Some(host) = &self.host else { return Arc::default() };
        let view = |plugin: &Plugin| {
            let inside = |item: &&crate::script::library::Item| item.file.starts_with(&format!("{}/", plugin.folder));
            let definitions = host.library().items.iter().filter(inside).map(|item| item.name.clone());
            let problem = host.problems().iter().find(|problem| {
                problem.is_error()
                    && problem.file.as_ref().is_some_and(|file| file.starts_with(&format!("{}/", plugin.folder)))
            });
            PluginView {
                name: plugin.manifest.name.clone(),
                version: plugin.manifest.version.clone(),
                about: plugin.manifest.about.clone(),
                path: plugin.folder.clone(),
                definitions: definitions.collect(),
                problem: problem.map(|problem| problem.message.clone()),
            }
        };
        host.plugins().iter().map(view).collect()
    }
}

/// What directors and metrics keep over a reload.
pub type Stage =
    (Vec<crate::script::runtime::director::DirectorState>, Vec<crate::script::runtime::metric::MeterState>);

pub(super) fn gone(error: &HostGone) -> Problem {
    Problem::error("script-host", error.to_string())
}

fn drawing_of(mark: &Mark) -> Drawing {
    match mark.kind.as_str() {
        "arrow" => Drawing::Arrow { from: mark.from, vector: mark.to - mark.from, color: mark.color },
        "circle" => Drawing::Circle { at: mark.from, radius: mark.radius, color: mark.color },
        "point" => Drawing::Circle { at: mark.from, radius: mark.radius.max(0.05), color: mark.color },
        "text" => Drawing::Text { at: mark.from, text: mark.text.clone(), color: mark.color },
        _ => Drawing::Line { points: vec![mark.from, mark.to], color: mark.color },
    }
}
