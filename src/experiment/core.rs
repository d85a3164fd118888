//! The running experiment: world, minds, formations, schedule, measures and problems behind one door.
//!
//! Window and command line share it; it never looks at the wall clock except through its stopwatch.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::machine::program::Program;
use crate::scene::problem::Problem;
use crate::scene::{Loaded, Scene, SceneFile};
use crate::sim::tick::{TickScratch, perform_with};
use crate::sim::{Event, SimCommand, Stage, Stopwatch as _, TickReport, Value, Workers, World};

use super::apart::AssignmentRun;
use super::clock::StageClock;
use super::counting::Counting;
use super::edits::History;
use super::flowing::Flowing;
use super::forming::Forming;
use super::leading::Lead;
use super::log::Log;
use super::measuring::Measuring;
use super::mind::GroupMind;
use super::options::Options;
use super::passing::Passing;
use super::posting::Posting;
use super::problems::Problems;
use super::progress::{Change, Progress, Telling};
use super::scripts::Scripts;

/// How near an agent's own goal counts as reached, m, where its body is smaller than that.
const REACHED_M: f64 = 0.3;

/// What the experiment keeps of a group beside the world's columns.
#[derive(Debug)]
pub struct GroupState {
    /// Name of its behavior; none stands still.
    pub behavior: Option<String>,
    /// What its mind runs.
    pub program: Arc<Program>,
    /// Values of the program's sliders, in their order.
    pub values: Vec<Value>,
    /// Sliders that the scene or `--set` gave a value, by address.
    pub scene_values: BTreeMap<String, Value>,
    /// Sliders of forces that are switched off: address of the weight and the weight to come back to.
    pub off: BTreeMap<String, Value>,
    /// Values for the parameters of every formation of the group, from the scene or `--set`.
    pub formation_values: BTreeMap<String, Value>,
    /// The formation that was ordered last.
    pub forming: Option<Forming>,
    /// Orders before it that somebody still follows, because the last one has not reached him.
    pub earlier: Vec<Forming>,
    /// The order that each agent heard last, where a network carries orders.
    pub heard: BTreeMap<crate::sim::AgentId, u64>,
    /// Orders so far: the number of the last one.
    pub orders: u64,
    /// What the last one came to.
    pub assignment: Option<Arc<AssignmentRun>>,
    /// How often places were given out anew without an order, and how often they were not, though it was looked.
    pub reassigned: (u64, u64),
    /// How its first agent is led by hand.
    pub led: Option<Lead>,
}

/// The running experiment.
pub struct Experiment {
    pub(super) options: Options,
    pub(super) project: PathBuf,
    pub(super) path: PathBuf,
    pub(super) shown: String,
    /// The scene file as loaded.
    pub(super) loaded: Loaded,
    /// The scene file with the edits of this session.
    pub(super) doc: SceneFile,
    /// What the user set in this session, by whole address.
    pub(super) user: BTreeMap<String, Value>,
    pub(super) scene: Scene,
    pub(super) scripts: Scripts,
    pub(super) world: Arc<World>,
    pub(super) minds: Vec<Box<dyn GroupMind>>,
    pub(super) groups: Vec<GroupState>,
    pub(super) obstacle_ids: Vec<crate::sim::obstacle::ObstacleId>,
    pub(super) next_line: usize,
    pub(super) workers: Workers,
    pub(super) scratch: TickScratch,
    pub(super) report: TickReport,
    pub(super) clock: StageClock,
    pub(super) measuring: Measuring,
    pub(super) passing: Passing,
    pub(super) posting: Posting,
    pub(super) counting: Counting,
    /// Finds and follows paths, where the scene has navigation.
    pub(super) navigator: Option<crate::navigate::Navigator>,
    pub(super) path_news: Vec<crate::navigate::News>,
    pub(super) flowing: Flowing,
    pub(super) progress: Progress,
    /// Replays and ghosts.
    pub(super) tapes: super::tapes::Tapes,
    /// Trajectory files that grow with the run.
    pub(super) exports: super::exporting::Exports,
    pub(super) turns: Vec<Change>,
    /// Somebody was told that the scene file changed on disk, and saves all the same.
    pub(super) overwrites: bool,
    pub(super) problems: Problems,
    pub(super) log: Log,
    pub(super) history: History,
    pub(super) inspected: Option<crate::sim::AgentId>,
    /// What the debug layer wants to see.
    pub(super) watch: super::frame::Watch,
    pub(super) epoch: u64,
    /// Grows with every change of a value or of code.
    pub(super) changes: u64,
    pub(super) faulted: bool,
    /// Whether a time or memory stop makes a second run differ.
    pub(super) clock_stopped: bool,
    pub(super) reloads: Vec<super::scripts::Reload>,
    pub(super) digests: Vec<u64>,
    pub(super) digest_rows: Vec<u64>,
}

impl std::fmt::Debug for Experiment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Experiment").field("path", &self.path).field("tick", &self.world.tick).finish_non_exhaustive()
    }
}

impl Experiment {
    /// Makes one tick: commands → sense → decide → avoid → act → measure.
    pub fn tick(&mut self) {
        self.clock.start();
        let tick = self.world.tick;
        {
            let mut post = Vec::new();
            let world = Arc::make_mut(&mut self.world);
            let nowhere = perform_with(world, &mut self.report.acts, |_, event| post.push(event));
            // In the order in which they are kept, so that many cost no more each than few; each hears what it hears in the
            // order in which it was sent, and a network carries in that order too.
            post.sort_by_key(|event| if self.is_carried(event.to) { u32::MAX } else { event.to.slot });
            for event in post {
                // A message to an agent that is gone is lost, as it would be in the field.
                if self.world.agents.find(event.to).is_some() {
                    self.tell(event);
                }
            }
            for group in nowhere {
                self.log.warning(
                    self.world.time(),
                    "script",
                    format!("a message to the group `{group}`, which the scene lacks"),
                );
            }
        }
        self.run_schedule(tick);
        self.run_directors();
        self.reassign_formations();
        self.lead_on();
        self.flow_in();
        self.deliver();
        self.navigate();
        self.flowing.flow.remember(&self.world);
        self.fit_cells();
        self.clock.lap(Stage::Commands);
        crate::sim::tick::tick(
            &mut self.world,
            &mut self.minds,
            &self.workers,
            &mut self.scratch,
            &mut self.report,
            &mut self.clock,
        );
        self.play_tapes();
        self.after_act(tick);
        self.passing.watch(&self.world, &self.scratch.intents);
        self.counting.watch(&self.world, &self.scratch.intents);
        self.watch_progress();
        self.measure();
        self.write_frames();
        self.clock.lap(Stage::Measure);
    }

    /// Quarantine, agents that left, faults of scripts.
    fn after_act(&mut self, tick: u64) {
        let quarantined = std::mem::take(&mut self.report.quarantined);
        for fault in &quarantined {
            let slot = fault.agent.slot as usize;
            let group = self.world.group_of(slot).name.clone();
            let behavior = self.groups[self.world.agents.group[slot].index()].behavior.clone().unwrap_or_default();
            let message = format!(
                "agent {} of `{group}` is in quarantine: {} of `{behavior}`: {}",
                fault.agent, fault.source, fault.message
            );
            let problem = Problem::error("quarantine", message)
                .group(group)
                .callback(fault.source.clone())
                .agent(fault.agent.number())
                .tick(tick)
                .hint("the others act on; a force that divides by a distance of 0 does that, or a number of its memory that is none");
            self.problems.add(problem);
            self.faulted = true;
        }
        self.report.quarantined = quarantined;
        let left = !self.report.left.is_empty();
        let world = Arc::make_mut(&mut self.world);
        crate::sim::tick::arrivals(world, REACHED_M);
        self.flow_out();
        if left {
            self.refit_formations();
        }
        self.hear_scripts();
        self.move_formations();
    }

    /// Who came no nearer to its goal, and who did again, hears of it in the next tick; the log says so once per group and tick.
    fn watch_progress(&mut self) {
        let mut turns = std::mem::take(&mut self.turns);
        self.progress.watch(&self.world, &self.groups, &self.scratch.intents, &mut turns);
        for turn in &turns {
            let name = if turn.stuck { "stuck" } else { "freed" }.to_owned();
            let event = Event { to: turn.agent, name, value: Some(Value::Number(turn.secs)), from: None };
            self.apply_sim(SimCommand::Tell(event));
        }
        for group in 0..self.groups.len() {
            if turns.iter().all(|turn| turn.group != group) {
                continue;
            }
            match self.progress.tells(group, self.world.time()) {
                Some(Telling::Each) => {}
                Some(Telling::Sum) => {
                    let (run, name) = (self.progress.of(group).unwrap_or_default(), &self.world.groups[group].name);
                    let text = format!(
                        "{} of `{name}` come no nearer to their goals now; {} times so far",
                        run.now, run.stuck
                    );
                    self.log.info(self.world.time(), "watchdog", text);
                    continue;
                }
                None => continue,
            }
            for (stuck, words) in [(true, "comes no nearer to its goal"), (false, "gets on again")] {
                let mut of_group = turns.iter().filter(|turn| turn.group == group && turn.stuck == stuck);
                let Some(first) = of_group.next() else { continue };
                let others = match of_group.count() {
                    0 => String::new(),
                    others => format!(", and {others} more"),
                };
                let name = &self.world.groups[group].name;
                let text = format!("agent {} of `{name}` {words}{others}", first.agent);
                self.log.info(self.world.time(), "watchdog", text);
            }
        }
        self.turns = turns;
    }

    /// Neighbor cells as large as the radius that the most agents look around.
    fn fit_cells(&mut self) {
        let reach = self
            .minds
            .iter()
            .zip(&self.world.groups)
            .map(|(mind, group)| (group.members.len(), GroupMind::reach(mind.as_ref())));
        let (_, side) = reach.filter(|(_, reach)| *reach > 0.0).max_by_key(|(count, _)| *count).unwrap_or((0, 2.0));
        if side != self.world.cell_side {
            Arc::make_mut(&mut self.world).cell_side = side;
        }
    }

    /// Applies a command of the core; a refusal becomes a problem.
    pub(super) fn apply_sim(&mut self, command: SimCommand) -> Option<crate::sim::command::Applied> {
        match Arc::make_mut(&mut self.world).apply(command) {
            Ok(applied) => Some(applied),
            Err(error) => {
                self.problems.add(Problem::error("refused", error.to_string()).tick(self.world.tick));
                None
            }
        }
    }

    pub(super) fn measure(&mut self) {
        self.measuring.note(self.flowing.metrics(&self.world));
        self.measure_ghosts();
        for (group, measure) in self.measuring.groups.iter_mut().enumerate() {
            measure.switching = self.passing.rate(&self.world, group);
        }
        let intents = &self.scratch.intents;
        self.measuring.tick(&self.scene, &self.world, &self.groups, &self.posting, intents, &mut self.scripts);
    }
}
