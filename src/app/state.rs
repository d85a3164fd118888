//! What the window itself remembers: what is picked, how it is looked at, what was dismissed. Nothing of it belongs to the run.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::experiment::command::Command;
use crate::experiment::frame::{AgentKey, Frame, Level};

use super::action::{Action, Entry};
use super::dialogs::Dialog;
use super::palette::Palette;
use super::panels::console::ConsoleState;
use super::panels::diagram::DiagramState;
use super::panels::parameters::ParameterState;
use super::panels::tuning::TuningState;
use super::panels::validation::ValidationState;
use super::plots::PlotState;
use super::theme::Tokens;
use super::yard::YardState;
use super::yard::field::Overlays;

/// What agents are colored by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColorBy {
    /// Their group.
    #[default]
    Group,
    /// The state of their machine.
    State,
    /// Their speed.
    Speed,
    /// The distance to their slot.
    Error,
    /// The direction that they look in.
    Heading,
}

impl ColorBy {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Group, Self::State, Self::Speed, Self::Error, Self::Heading];

    /// As shown.
    pub fn text(self) -> &'static str {
        match self {
            Self::Group => "group",
            Self::State => "state",
            Self::Speed => "speed",
            Self::Error => "error",
            Self::Heading => "heading",
        }
    }

    /// From a scene's view.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.text() == text)
    }
}

/// Which theme was chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThemeChoice {
    /// As the desktop says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Remembered from start to start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Theme.
    pub theme: ThemeChoice,
    /// Layout as RON; empty for the default one.
    pub layout: String,
    /// Hints that were dismissed.
    pub hints_dismissed: [bool; 3],
    /// Files opened last, newest first.
    pub recent: Vec<String>,
    /// Overlays of the yard.
    pub overlays: Overlays,
    /// Whether sliders for fingers are shown; without a choice they are once a finger has touched the screen.
    pub touch_sliders: Option<bool>,
}

/// A message that floats for a while; the console keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How important.
    pub level: Level,
    /// What.
    pub text: String,
}

/// Everything that the window remembers.
#[derive(Default)]
pub struct State {
    /// Remembered from start to start.
    pub settings: Settings,
    /// Picked agents, ascending.
    pub picked: Vec<AgentKey>,
    /// Picked obstacle.
    pub picked_obstacle: Option<u64>,
    /// The yard.
    pub yard: YardState,
    /// The plots.
    pub plots: PlotState,
    /// The fundamental diagram.
    pub diagram: DiagramState,
    /// The parameter panel.
    pub parameters: ParameterState,
    /// The tuning panel.
    pub tuning: TuningState,
    /// The panel of published figures.
    pub validation: ValidationState,
    /// The project folder; none without files.
    pub project: Option<PathBuf>,
    /// The problem that is open.
    pub open_problem: Option<u64>,
    /// The console.
    pub console: ConsoleState,
    /// The list of all actions, while it is open.
    pub palette: Option<Palette>,
    /// The question that is asked.
    pub dialog: Option<Dialog>,
    /// Whether the list of keys is open.
    pub keys_open: bool,
    /// Notices of the window itself, to be floated.
    pub notices: Vec<Notice>,
    /// The scene in which the hints are shown: the first one of this start.
    pub hints_in: Option<String>,
    /// Whether a finger has touched the screen since the start.
    pub touch_seen: bool,
}

impl State {
    /// Whether sliders for fingers are shown.
    pub fn touch_sliders(&self) -> bool {
        self.settings.touch_sliders.unwrap_or(self.touch_seen)
    }

    /// Pick one agent and nothing else.
    pub fn pick(&mut self, key: AgentKey) {
        self.picked = vec![key];
        self.picked_obstacle = None;
    }

    /// Pick it too, or let go of it.
    pub fn toggle(&mut self, key: AgentKey) {
        self.picked_obstacle = None;
        match self.picked.binary_search(&key) {
            Ok(at) => drop(self.picked.remove(at)),
            Err(at) => self.picked.insert(at, key),
        }
    }

    /// Whether the agent is picked.
    pub fn is_picked(&self, key: AgentKey) -> bool {
        self.picked.binary_search(&key).is_ok()
    }

    /// Let go of agents and obstacles that are no more.
    pub fn forget_absent(&mut self, frame: &Frame) {
        self.picked.retain(|&key| frame.agents.row(key).is_some());
        self.picked_obstacle = self.picked_obstacle.filter(|&id| frame.obstacles.iter().any(|o| o.id == id));
    }
}

/// What a panel gets: the frame to read, the state to use, the queue for what was asked.
pub struct Cx<'a> {
    /// The latest frame.
    pub frame: &'a Frame,
    /// The one before, for interpolation.
    pub previous: &'a Frame,
    /// Share of the way from the one before to the latest.
    pub alpha: f32,
    /// Colors.
    pub tokens: &'static Tokens,
    /// The table of actions.
    pub table: &'a [Entry],
    /// What the window remembers.
    pub state: &'a mut State,
    /// What was asked in this pass.
    pub queue: &'a mut Vec<Action>,
}

impl Cx<'_> {
    /// Ask for a command.
    pub fn send(&mut self, command: Command) {
        self.queue.push(Action::Send(command));
    }

    /// Ask for an action.
    pub fn ask(&mut self, action: Action) {
        self.queue.push(action);
    }
}
