//! Orders and the networks they go over.

use super::AgentKey;
use crate::comms::Status;

/// How the messages to a group fare, of those that are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NetworkView {
    /// Messages, one per agent.
    pub messages: usize,
    /// Sends of them, with those sent again.
    pub sends: u64,
    /// Nobody knows of yet.
    pub under_way: usize,
    /// The agent has it and the sender does not know.
    pub delivered: usize,
    /// The agent has it and the sender knows.
    pub acknowledged: usize,
    /// Given up.
    pub failed: usize,
    /// Agents that did not answer to the last send.
    pub offline: usize,
    /// The longest smoothed round trip, s.
    pub slowest: Option<f64>,
}

/// How many messages of an order stand where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderCounts([usize; 4]);

impl OrderCounts {
    /// One more with this status.
    pub fn add(&mut self, status: Status) {
        self.0[status as usize] += 1;
    }

    /// Messages with this status.
    pub fn of(self, status: Status) -> usize {
        self.0[status as usize]
    }

    /// All messages.
    pub fn total(self) -> usize {
        self.0.iter().sum()
    }
}

/// Messages of one name that were sent to a group at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OrderView {
    /// Number of its first message; stable while the log keeps it.
    pub number: u64,
    /// Index into `Frame::groups`; none for agents that are gone.
    pub group: Option<usize>,
    /// Name of the event.
    pub name: String,
    /// When it was sent, s.
    pub sent_at: f64,
    /// Where its messages stand.
    pub counts: OrderCounts,
    /// Messages that their agent has, whatever the sender knows of it.
    pub arrived: usize,
    /// The messages, as far as the frame carries them.
    pub rows: Vec<DeliveryView>,
}

/// A message to one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeliveryView {
    /// To whom.
    pub to: AgentKey,
    /// Sends so far.
    pub sends: u32,
    /// From the first send until the agent had it, s.
    pub delivered_after: Option<f64>,
    /// From the first send until the sender knew, s.
    pub acknowledged_after: Option<f64>,
    /// Where it stands.
    pub status: Status,
}

/// What is known of the link to one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkView {
    /// The agent.
    pub agent: AgentKey,
    /// Index into `Frame::groups`.
    pub group: usize,
    /// Time that the last message took, s.
    pub one_way: Option<f64>,
    /// Message and answer, smoothed, s.
    pub round_trip: Option<f64>,
    /// Time without an answer until a message is sent again, s.
    pub wait: f64,
    /// It did not answer to the last send.
    pub offline: bool,
}
