//! A group of agents as typed.

use glam::DVec3;

use super::flow::LegFile;
use super::spawn::Range;
use super::{BodyFile, MAX_COUNT, SpawnFile};
use crate::formation::{BaseLineMethod, Frame};
use crate::measure::Aligned;
use crate::scene::decode::{Decoder, Limit, Record, Shape, Spanned, Table, leave_group, record, words};
use crate::scene::ron::Node;
use crate::scene::value::SetValue;

record! {
    /// Where a formation's frame stands in the world.
    PoseFile "pose" {
        /// the place of the frame's origin in m
        at: DVec3 = DVec3::ZERO, optional;
        /// how far the frame is turned, in degrees counter-clockwise
        turn_deg: f64 = 0.0, optional;
        /// what both count from: `World`, `Leader` (ahead is +y; it has the first place) or `Around` (it stands in the middle)
        frame: Frame = Frame::World, optional;
    }
}

record! {
    /// The formation that a group starts with.
    FormationUse "formation" {
        /// its name
        name: Spanned<String> = Spanned::default(), required;
        /// where it stands
        pose: PoseFile = PoseFile::default(), optional;
    }
}

words!(Frame, "frame", [World, Leader, Around]);
words!(Aligned, "aligned", [Distance, Projection, Hull]);
words!(BaseLineMethod, "base line", [Weighted, TwoPoint, Clusters]);

record! {
    /// What a formation must keep.
    ContractFile "contract" {
        /// largest error of the gaps between neighbors in m
        spacing: Option<f64> = None, optional, Limit::Positive;
        /// largest distance off the track in m
        cross_track: Option<f64> = None, optional, Limit::Positive;
        /// largest distance ahead of or behind the own place in m
        along_track: Option<f64> = None, optional, Limit::Positive;
        /// largest error of a heading, and largest circular deviation of them, in degrees
        heading_deg: Option<f64> = None, optional, Limit::AboveUpTo(0.0, 180.0);
        /// largest circular deviation of the heading errors in degrees; as `heading_deg` without it
        heading_sd_deg: Option<f64> = None, optional, Limit::AboveUpTo(0.0, 180.0);
        /// what counts as aligned: `Distance` (mean, m), `Projection` (lack along the ranks, share) or `Hull` (area, m²)
        aligned: Aligned = Aligned::Distance, optional;
        /// how well aligned the group must be, in the unit of `aligned`; not judged without it
        aligned_limit: Option<f64> = None, optional, Limit::Positive;
        /// a term that broke holds again only below this, in its own unit: `{"cross_track": 0.03}`; at its limit without it
        enter: Table<f64> = Table::default(), optional;
        /// time to settle beside the time to walk, in s
        settle: Option<f64> = None, optional, Limit::Positive;
        /// how the base line is found: `Weighted`, `TwoPoint` or `Clusters`
        base_line: BaseLineMethod = BaseLineMethod::Weighted, optional;
    }
}

record! {
    /// How wrong sensed values are: standard deviations.
    NoiseFile "sensor_noise" {
        /// of a position, per axis, in m
        position: f64 = 0.0, optional, Limit::NotNegative;
        /// of a heading in degrees
        heading_deg: f64 = 0.0, optional, Limit::NotNegative;
    }
}

record! {
    /// The network that carries commands to the group.
    NetworkFile "network" {
        /// mean delay in s
        delay: f64 = 0.0, optional, Limit::Within(0.0, 60.0);
        /// largest deviation from it in s
        jitter: f64 = 0.0, optional, Limit::Within(0.0, 60.0);
        /// share of messages lost, 0 to 1
        loss: f64 = 0.0, optional, Limit::Within(0.0, 1.0);
        /// time without an acknowledgement until a message is sent again, in s
        timeout: f64 = 0.1, optional, Limit::Positive;
        /// times it is sent again before the agent counts as offline
        retries: u32 = 3, optional, Limit::Within(0.0, 1000.0);
        /// per-agent ranges of delay, jitter or loss: `{"delay": (0.08, 0.21)}`
        spread: Table<Range> = Table::default(), optional;
    }
}

record! {
    /// When agents change their places without a new order.
    ReassignFile "reassign" {
        /// time between two looks for better places, in s; only with an order, or when agents come or go, without it
        every: Option<f64> = None, optional, Limit::Positive;
        /// the share of the squared ways that must be gained
        gain: f64 = 0.05, optional, Limit::Within(0.0, 1.0);
        /// what must be gained per agent too, in m²
        least: f64 = 1e-4, optional, Limit::NotNegative;
    }
}

record! {
    /// The fields of a group.
    GroupRecord "Group" {
        /// its name: letters, digits, `_`
        name: Spanned<String> = Spanned::default(), required;
        /// number of agents; that of the points without it
        count: Option<Spanned<u32>> = None, optional, Limit::Within(0.0, MAX_COUNT);
        /// where they stand at the start
        spawn: Option<Spanned<SpawnFile>> = None, optional;
        /// how intents become motion
        body: Spanned<BodyFile> = Spanned::default(), optional;
        /// the behavior or machine by name; they stand still without it
        behavior: Option<Spanned<String>> = None, optional;
        /// values of any address below the group: `{"k1": 3.75, "formation.spacing": 1.0}`
        set: Table<SetValue> = Table::default(), optional;
        /// the formation they start with
        formation: Option<FormationUse> = None, optional;
        /// what the formation must keep
        contract: Option<ContractFile> = None, optional;
        /// when a better assignment of the places is taken
        reassign: ReassignFile = ReassignFile::default(), optional;
        /// how wrong sensed values are
        sensor_noise: NoiseFile = NoiseFile::default(), optional;
        /// steps of the body per tick
        substeps: u32 = 1, optional, Limit::Within(1.0, 1000.0);
        /// s between two decisions of an agent, `0.1`, or a range to draw from, `(0.05, 0.2)`; phases are staggered; in each tick without it
        update: Spanned<Range> = Spanned::new(Range::only(0.0)), optional;
        /// the nearest so many neighbors count; all without it
        max_neighbors: Option<u32> = None, optional;
        /// points that its agents go through in turn, in m
        route: Vec<DVec3> = Vec::new(), optional;
        /// where its agents want to be, in m
        goal: Option<DVec3> = None, optional;
        /// the stops that each of its agents visits: `["gate", Shuffle(3, ["milk", "bread", "fruit", "fish"]), LeastCrowded(["till_1", "till_2"]), "exit"]`
        journey: Vec<LegFile> = Vec::new(), optional;
        /// the group whose first agent leads this one
        leader: Option<Spanned<String>> = None, optional;
        /// the network that carries commands; none loses nothing and takes no time
        network: Option<NetworkFile> = None, optional;
        /// numbers of single agents, counted from 1: `{"7": {"body.stride": 0.95, "network.delay": 0.3}}`
        agents: Table<Table<f64>> = Table::default(), optional;
    }
}

/// A group of agents; see its fields in [`GroupRecord`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GroupFile(pub GroupRecord);

impl Shape for GroupFile {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        // Every problem inside names the group; so its name is looked up first.
        if let Some(name) = node.field("name") {
            Record::name_group(name, decoder);
        }
        let group = GroupRecord::decode(node, decoder).map(Self);
        leave_group(decoder);
        group
    }
    fn encode(&self) -> Node {
        self.0.encode()
    }
}

impl std::ops::Deref for GroupFile {
    type Target = GroupRecord;
    fn deref(&self) -> &GroupRecord {
        &self.0
    }
}

impl std::ops::DerefMut for GroupFile {
    fn deref_mut(&mut self) -> &mut GroupRecord {
        &mut self.0
    }
}
