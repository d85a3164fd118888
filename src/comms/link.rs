//! Links to agents, and the messages under way.

use std::collections::{BTreeMap, VecDeque};

use super::RoundTrip;
use crate::sim::rng::Use;
use crate::sim::{AgentId, Event, Stream};

/// What a link does to messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Mean time of one way, s.
    pub delay: f64,
    /// Largest deviation from it, s: uniform.
    pub jitter: f64,
    /// Share of messages (and of acknowledgements) lost, 0–1.
    pub loss: f64,
    /// Shortest time without an acknowledgement until a message is sent again, s.
    pub timeout: f64,
    /// How often it is sent again.
    pub retries: u32,
}

impl Default for Link {
    fn default() -> Self {
        Self { delay: 0.0, jitter: 0.0, loss: 0.0, timeout: 0.1, retries: 3 }
    }
}

impl Link {
    /// The time that one send takes, s; none if it is lost.
    fn luck(&self, stream: &mut Stream) -> Option<f64> {
        let lost = stream.unit() < self.loss;
        let time = (self.delay + self.jitter * stream.uniform(-1.0, 1.0)).max(0.0);
        (!lost).then_some(time)
    }
}

/// Where a message to one agent stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Under way, or lost without anybody knowing yet.
    #[default]
    Sent,
    /// The agent has it.
    Delivered,
    /// The sender knows that the agent has it.
    Acknowledged,
    /// All sends were lost, or all answers: the sender gave up.
    Failed,
}

/// One message to one agent, for the delivery log.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// Its number: messages are numbered in the order in which they were given to the network.
    pub number: u64,
    /// To whom.
    pub to: AgentId,
    /// Name of the event that it raises.
    pub name: String,
    /// When it was first sent, s.
    pub sent_at: f64,
    /// When the agent got it, s.
    pub delivered_at: Option<f64>,
    /// When the sender knew, s.
    pub acknowledged_at: Option<f64>,
    /// Sends so far.
    pub sends: u32,
    /// Where it stands.
    pub status: Status,
}

/// A message that an agent hears.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrival {
    /// Its number.
    pub message: u64,
    /// What it says.
    pub event: Event,
    /// The time that the copy which arrived was under way, s: the agent knows it from the time stamp.
    pub took: f64,
}

/// An agent that went offline (`true`) or came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offline {
    /// Who.
    pub agent: AgentId,
    /// Whether it is offline now.
    pub offline: bool,
}

/// What is known of the link to one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkState {
    /// Its round trips.
    pub round_trip: RoundTrip,
    /// The last measured time of one way, s: when the agent got a message less when it was sent.
    pub one_way: Option<f64>,
    /// The last message that got there went unanswered to the last send.
    pub offline: bool,
}

/// What happens at a moment: in the order of time, then of messages.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// A copy arrives; it was sent then, s.
    Arrives(f64),
    /// An acknowledgement arrives of the send at that time, s.
    Answered(f64),
    /// Nobody answered the send of that number.
    TimedOut(u32),
}

#[derive(Clone, Debug)]
struct Flight {
    delivery: Delivery,
    event: Event,
    link: Link,
    heard: bool,
    /// Copies and answers under way.
    open: u32,
    /// Draws so far: each send and each answer has luck of its own.
    draws: u64,
}

/// Moments to come, earliest first; equal times go by message, then in the order in which they were planned. A time is kept
/// as its bits, which order as times do that are not negative.
type Agenda = BTreeMap<(u64, u64, u64), Moment>;

impl Flight {
    fn stream(&mut self, seed: u64) -> Stream {
        self.draws += 1;
        let to = self.delivery.to;
        Stream::with_salt(seed, u64::from(to.slot), self.delivery.number, Use::Network, self.draws)
    }

    /// Draws whether and when a copy or an answer arrives, and plans it.
    fn launch(&mut self, seed: u64, now: f64, moment: Moment, agenda: &mut Agenda) {
        let mut stream = self.stream(seed);
        if let Some(time) = self.link.luck(&mut stream) {
            self.open += 1;
            agenda.insert(((now + time).to_bits(), self.delivery.number, 2 * self.draws), moment);
        }
    }

    fn send(&mut self, seed: u64, now: f64, wait: f64, agenda: &mut Agenda) {
        self.delivery.sends += 1;
        self.launch(seed, now, Moment::Arrives(now), agenda);
        let order = 2 * self.draws + 1;
        agenda.insert(((now + wait).to_bits(), self.delivery.number, order), Moment::TimedOut(self.delivery.sends));
    }
}

/// Finished deliveries that are kept for the log.
const KEPT: usize = 4096;

/// All links and messages of a run.
#[derive(Clone, Debug, Default)]
pub struct Network {
    seed: u64,
    next: u64,
    flights: BTreeMap<u64, Flight>,
    agenda: Agenda,
    links: BTreeMap<AgentId, LinkState>,
    done: VecDeque<Delivery>,
    changes: u64,
}

/// Times closer than this are the same tick, s.
const SAME: f64 = 1e-9;

impl Network {
    /// A network without messages; its luck follows from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// Gives a message to the network at `now`, s. Over a link without delay and loss it arrives at `now` as well.
    pub fn send(&mut self, link: Link, event: Event, now: f64) -> u64 {
        let number = self.next;
        self.next += 1;
        self.changes += 1;
        let delivery = Delivery {
            number,
            to: event.to,
            name: event.name.clone(),
            sent_at: now,
            delivered_at: None,
            acknowledged_at: None,
            sends: 0,
            status: Status::Sent,
        };
        let wait = self.links.entry(event.to).or_default().round_trip.wait(link.timeout, 1);
        let mut flight = Flight { delivery, event, link, heard: false, open: 0, draws: 0 };
        flight.send(self.seed, now.max(0.0), wait, &mut self.agenda);
        self.flights.insert(number, flight);
        number
    }

    /// Lets time pass up to `now`, s. Gives the events that arrive, in the order of arrival (then of messages), and who went
    /// offline or came back.
    pub fn advance(&mut self, now: f64) -> (Vec<Arrival>, Vec<Offline>) {
        let (mut events, mut changes) = (Vec::new(), Vec::new());
        while let Some(entry) = self.agenda.first_entry() {
            let (bits, number, _) = *entry.key();
            let time = f64::from_bits(bits);
            if time > now + SAME {
                break;
            }
            let moment = entry.remove();
            self.changes += 1;
            let Some(flight) = self.flights.get_mut(&number) else { continue };
            let link = self.links.entry(flight.delivery.to).or_default();
            let (seed, delivery) = (self.seed, &mut flight.delivery);
            match moment {
                Moment::Arrives(sent) => {
                    flight.open -= 1;
                    link.one_way = Some(time - sent);
                    if !std::mem::replace(&mut flight.heard, true) {
                        delivery.delivered_at = Some(time);
                        delivery.status = delivery.status.max(Status::Delivered);
                        events.push(Arrival { message: number, event: flight.event.clone(), took: time - sent });
                    }
                    flight.launch(seed, time, Moment::Answered(sent), &mut self.agenda);
                }
                Moment::Answered(sent) => {
                    flight.open -= 1;
                    link.round_trip.measure(time - sent);
                    if std::mem::take(&mut link.offline) {
                        changes.push(Offline { agent: delivery.to, offline: false });
                    }
                    delivery.status = Status::Acknowledged;
                    delivery.acknowledged_at.get_or_insert(time);
                }
                Moment::TimedOut(send) if delivery.status == Status::Acknowledged || send < delivery.sends => {}
                Moment::TimedOut(_) if delivery.sends <= flight.link.retries => {
                    let wait = link.round_trip.wait(flight.link.timeout, delivery.sends + 1);
                    flight.send(seed, time, wait, &mut self.agenda);
                }
                Moment::TimedOut(_) => {
                    if !std::mem::replace(&mut link.offline, true) {
                        changes.push(Offline { agent: delivery.to, offline: true });
                    }
                    delivery.status = Status::Failed;
                }
            }
            self.retire(number);
        }
        (events, changes)
    }

    /// A message of which nothing can happen any more goes to the log.
    fn retire(&mut self, number: u64) {
        let over = |flight: &Flight| flight.delivery.status >= Status::Acknowledged && flight.open == 0;
        if !self.flights.get(&number).is_some_and(over) {
            return;
        }
        if let Some(flight) = self.flights.remove(&number) {
            if self.done.len() == KEPT {
                self.done.pop_front();
            }
            self.done.push_back(flight.delivery);
        }
    }

    /// The agent is gone: its messages are lost.
    pub fn forget(&mut self, agent: AgentId) {
        self.changes += 1;
        self.flights.retain(|_, flight| flight.delivery.to != agent);
        self.links.remove(&agent);
    }

    /// What is known of the link to an agent.
    #[must_use]
    pub fn link(&self, agent: AgentId) -> LinkState {
        self.links.get(&agent).copied().unwrap_or_default()
    }

    /// Deliveries, oldest first: finished ones (the last few thousand) and those under way.
    pub fn deliveries(&self) -> impl Iterator<Item = &Delivery> {
        self.done.iter().chain(self.flights.values().map(|flight| &flight.delivery))
    }

    /// Grows with everything that happens to a message: what did not grow looks as it did.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether a message may still be heard.
    #[must_use]
    pub fn is_under_way(&self, number: u64) -> bool {
        self.flights.get(&number).is_some_and(|flight| !flight.heard)
    }

    /// Whether nothing is under way.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.flights.is_empty()
    }
}
