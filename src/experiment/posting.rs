//! Messages to agents: at once, or over the network that the scene gives their group.

use std::collections::BTreeMap;

use super::core::Experiment;
use super::frame::{Level, NetworkView};
use crate::comms::{Arrival, Link, LinkState, Network, Status};
use crate::scene::Scene;
use crate::sim::rng::Use;
use crate::sim::{AgentId, Event, SimCommand, Stream, World};

/// The network, the links, and which messages are orders.
#[derive(Debug, Default)]
pub struct Posting {
    pub(super) network: Network,
    pub(super) links: Vec<Option<Link>>,
    /// Ranges of links by group: number, low, high.
    spreads: Vec<Vec<(String, f64, f64)>>,
    /// Links of single agents that differ from their group's.
    own: BTreeMap<AgentId, Link>,
    /// Somebody was told of the first agent that went offline.
    told_offline: bool,
    /// Messages under way that are orders: group and number of the order.
    orders: BTreeMap<u64, (usize, u64)>,
}

/// The share that the last message has in an agent's idea of its delay.
const NEWEST: f64 = 0.25;

fn set_link(link: &mut Link, field: &str, value: f64) {
    match field {
        "delay" => link.delay = value,
        "jitter" => link.jitter = value,
        "loss" => link.loss = value,
        _ => {}
    }
}

impl Posting {
    /// No messages yet. Links are drawn by lot where the scene gives ranges; every agent knows the mean delay of its own.
    pub fn new(scene: &Scene, world: &mut World, seed: u64) -> Self {
        let mut posting = Self { network: Network::new(seed), ..Self::default() };
        for (index, group) in scene.groups.iter().enumerate() {
            let link = group.network.as_ref().map(|network| Link {
                delay: network.delay,
                jitter: network.jitter,
                loss: network.loss,
                timeout: network.timeout,
                retries: network.retries,
            });
            posting.links.push(link);
            let ranges = group.network.iter().flat_map(|network| &network.spread.0);
            let ranges = ranges.map(|(field, range)| (field.value.clone(), range.value.from, range.value.to));
            posting.spreads.push(ranges.collect());
            let Some(link) = link else { continue };
            for (position, slot) in world.groups[index].members.clone().into_iter().enumerate() {
                let agent = world.agents.id(slot);
                let mut own = posting.drawn(index, agent, link, seed);
                for (_, field, value) in group.own_links.iter().filter(|(of, ..)| *of == position) {
                    set_link(&mut own, field, *value);
                }
                if own != link {
                    posting.own.insert(agent, own);
                    drop(world.apply(SimCommand::SetLinkDelay(agent, own.delay)));
                }
            }
        }
        posting
    }

    /// The link of an agent, drawn by lot where the scene gives ranges.
    fn drawn(&self, group: usize, agent: AgentId, link: Link, seed: u64) -> Link {
        let mut own = link;
        let mut luck =
            Stream::with_salt(seed, u64::from(agent.slot), u64::from(agent.generation), Use::Network, u64::MAX);
        for (field, from, to) in self.spreads.get(group).into_iter().flatten() {
            set_link(&mut own, field, luck.uniform(*from, *to));
        }
        own
    }

    /// Whether a network carries messages to a group.
    pub fn carries(&self, group: usize) -> bool {
        self.links.get(group).is_some_and(Option::is_some)
    }

    /// What is known of the link to an agent of a group; none where messages arrive at once.
    pub fn link(&self, group: usize, agent: AgentId) -> Option<LinkState> {
        self.carries(group).then(|| self.network.link(agent))
    }

    /// Whether an agent of a group does not answer any more.
    pub fn is_offline(&self, group: usize, agent: AgentId) -> bool {
        self.link(group, agent).is_some_and(|link| link.offline)
    }

    /// Whether an order is on its way to somebody of a group.
    pub fn is_ordering(&self, group: usize, number: u64) -> bool {
        self.orders.values().any(|order| *order == (group, number))
    }

    /// Orders whose messages nobody will hear any more.
    pub fn forget_lost_orders(&mut self) {
        let network = &self.network;
        self.orders.retain(|message, _| network.is_under_way(*message));
    }

    /// A message is an order.
    pub fn note_order(&mut self, message: u64, group: usize, number: u64) {
        self.orders.insert(message, (group, number));
    }
}

impl Experiment {
    /// Tells an agent something: it hears it in the coming tick, or when the network of its group brings it. Gives the number of
    /// the message that the network carries.
    pub(super) fn tell(&mut self, event: Event) -> Option<u64> {
        let slot = event.to.slot as usize;
        let group = self.world.agents.group.get(slot).map(|group| group.index());
        let link = group.and_then(|group| self.posting.links.get(group).copied().flatten());
        match link {
            Some(link) if self.world.agents.find(event.to).is_some() => {
                let now = self.world.time();
                let link = self.link_to(event.to, group.unwrap_or_default(), link);
                Some(self.posting.network.send(link, event, now))
            }
            _ => {
                self.apply_sim(SimCommand::Tell(event));
                None
            }
        }
    }

    /// Whether what an agent is told goes over a network.
    pub(super) fn is_carried(&self, to: AgentId) -> bool {
        let group = self.world.agents.group.get(to.slot as usize).map(|group| group.index());
        group.and_then(|group| self.posting.links.get(group)).is_some_and(Option::is_some)
    }

    /// The link to an agent; one that came later draws its own when it is told something for the first time.
    fn link_to(&mut self, agent: AgentId, group: usize, link: Link) -> Link {
        if let Some(own) = self.posting.own.get(&agent) {
            return *own;
        }
        let own = self.posting.drawn(group, agent, link, self.world.settings.seed);
        if own != link {
            self.posting.own.insert(agent, own);
            self.apply_sim(SimCommand::SetLinkDelay(agent, own.delay));
        }
        own
    }

    /// What the network brings before this tick's sense.
    pub(super) fn deliver(&mut self) {
        let now = self.world.time();
        if self.posting.network.is_quiet() {
            return;
        }
        let (arrivals, changes) = self.posting.network.advance(now);
        for Arrival { message, event, took } in arrivals {
            let Some(slot) = self.world.agents.find(event.to) else {
                self.posting.network.forget(event.to);
                continue;
            };
            let known = self.world.agents.link_delay[slot];
            let delay = SimCommand::SetLinkDelay(event.to, known + NEWEST * (took - known));
            self.apply_sim(delay);
            let order = self.posting.orders.remove(&message);
            if order.is_none_or(|(group, number)| self.hear_order(event.to, group, number)) {
                self.apply_sim(SimCommand::Tell(event));
            }
        }
        for change in changes.into_iter().filter(|change| self.world.agents.find(change.agent).is_some()) {
            let group = self.world.group_of(change.agent.slot as usize).name.clone();
            if change.offline {
                let text = format!("agent {} of `{group}` does not answer: offline, out of the contract", change.agent);
                // One toast is enough; the panel Groups counts them.
                if std::mem::replace(&mut self.posting.told_offline, true) {
                    self.log.warning(now, "network", text);
                } else {
                    self.log.toast(now, Level::Warning, "network", text);
                }
            } else {
                self.log.info(now, "network", format!("agent {} of `{group}` answers again", change.agent));
            }
        }
    }

    /// How the messages to a group fare.
    pub(super) fn network_view(&self, group: usize) -> Option<NetworkView> {
        self.posting.links.get(group).copied().flatten()?;
        let mut view = NetworkView::default();
        let is_own = |agent: AgentId| {
            self.world.agents.find(agent).is_some_and(|slot| self.world.agents.group[slot].index() == group)
        };
        for delivery in self.posting.network.deliveries().filter(|delivery| is_own(delivery.to)) {
            view.messages += 1;
            view.sends += u64::from(delivery.sends);
            match delivery.status {
                Status::Sent => view.under_way += 1,
                Status::Delivered => view.delivered += 1,
                Status::Acknowledged => view.acknowledged += 1,
                Status::Failed => view.failed += 1,
            }
        }
        for slot in &self.world.groups[group].members {
            let state = self.posting.network.link(self.world.agents.id(*slot));
            view.offline += usize::from(state.offline);
            if let Some(smoothed) = state.round_trip.smoothed {
                view.slowest = Some(view.slowest.map_or(smoothed, |slowest: f64| slowest.max(smoothed)));
            }
        }
        Some(view)
    }
}
