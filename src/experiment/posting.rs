//! Messages to agents: at once, or over the network that the scene gives their group.

use std::sync::Arc;

use super::core::Experiment;
use super::frame::{Level, NetworkView};
use crate::comms::{Link, LinkState, Network, Status};
use crate::scene::Scene;
use crate::sim::{AgentId, Event, SimCommand};

/// The network and the link of each group.
#[derive(Debug, Default)]
pub struct Posting {
    pub(super) network: Network,
    pub(super) links: Vec<Option<Link>>,
}

impl Posting {
    /// No messages yet.
    pub fn new(scene: &Scene, seed: u64) -> Self {
        let link = |network: &crate::scene::file::NetworkFile| Link {
            delay: network.delay,
            jitter: network.jitter,
            loss: network.loss,
            timeout: network.timeout,
            retries: network.retries,
        };
        let links = scene.groups.iter().map(|group| group.network.as_ref().map(link)).collect();
        Self { network: Network::new(seed), links }
    }

    /// What is known of the link to an agent of a group; none where messages arrive at once.
    pub fn link(&self, group: usize, agent: AgentId) -> Option<LinkState> {
        self.links.get(group).copied().flatten()?;
        Some(self.network.link(agent))
    }
}

impl Experiment {
    /// Tells an agent something: it hears it in the coming tick, or when the network of its group brings it.
    pub(super) fn tell(&mut self, event: Event) {
        let slot = event.to.slot as usize;
        let group = self.world.agents.group.get(slot).map(|group| group.index());
        let link = group.and_then(|group| self.posting.links.get(group).copied().flatten());
        match link {
            Some(link) if self.world.agents.find(event.to).is_some() => {
                let now = self.world.time();
                self.posting.network.send(link, event, now);
            }
            _ => drop(self.apply_sim(SimCommand::Tell(event))),
        }
    }

    /// What the network brings before this tick's sense.
    pub(super) fn deliver(&mut self) {
        let now = self.world.time();
        if self.posting.network.is_quiet() {
            return;
        }
        let (events, changes) = self.posting.network.advance(now);
        let world = Arc::make_mut(&mut self.world);
        for event in events {
            if world.agents.find(event.to).is_some() {
                drop(world.apply(SimCommand::Tell(event)));
            } else {
                self.posting.network.forget(event.to);
            }
        }
        for change in changes.into_iter().filter(|change| self.world.agents.find(change.agent).is_some()) {
            let group = self.world.group_of(change.agent.slot as usize).name.clone();
            if change.offline {
                let text = format!("agent {} of `{group}` does not answer: offline", change.agent);
                self.log.toast(now, Level::Warning, "network", text);
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
