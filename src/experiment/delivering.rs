//! The delivery log as panels show it: orders with the messages of each, and what is known of the links.
//!
//! It is bounded, and made anew only when a message moved.

use std::sync::Arc;

use super::core::Experiment;
use super::frame::{AgentKey, DeliveryView, LinkView, OrderView};
use crate::comms::Delivery;

/// Messages that a frame carries one by one.
const ROWS: usize = 400;

/// Orders that a frame carries.
const ORDERS: usize = 100;

/// Links that a frame carries.
const LINKS: usize = 1000;

/// The log of the last frame.
#[derive(Debug, Default)]
pub struct DeliveryCache {
    stamp: Option<(u64, u64, usize)>,
    orders: Arc<[OrderView]>,
    links: Arc<[LinkView]>,
}

impl DeliveryCache {
    /// Orders, newest first.
    pub fn orders(&self) -> Arc<[OrderView]> {
        Arc::clone(&self.orders)
    }

    /// Links in the order of groups and agents.
    pub fn links(&self) -> Arc<[LinkView]> {
        Arc::clone(&self.links)
    }
}

impl Experiment {
    /// Brings the log up to date.
    pub(super) fn refresh_deliveries(&self, cache: &mut DeliveryCache) {
        let agents: usize = self.world.groups.iter().map(|group| group.members.len()).sum();
        let stamp = Some((self.epoch, self.posting.network.changes(), agents));
        if cache.stamp != stamp {
            cache.stamp = stamp;
            cache.orders = self.order_views().into();
            cache.links = self.link_views().into();
        }
    }

    fn order_views(&self) -> Vec<OrderView> {
        let mut deliveries: Vec<&Delivery> = self.posting.network.deliveries().collect();
        deliveries.sort_unstable_by_key(|delivery| std::cmp::Reverse(delivery.number));
        let mut orders: Vec<OrderView> = Vec::new();
        let mut rows = 0;
        for delivery in deliveries {
            // An agent that is gone has left no group behind.
            let slot = delivery.to.slot as usize;
            let group = self.world.agents.find(delivery.to).map(|_| self.world.agents.group[slot].index());
            let same = |order: &OrderView| {
                order.name == delivery.name
                    && order.sent_at == delivery.sent_at
                    && (group.is_none() || order.group == group)
            };
            if !orders.last().is_some_and(same) {
                if orders.len() == ORDERS {
                    break;
                }
                let (name, sent_at) = (delivery.name.clone(), delivery.sent_at);
                orders.push(OrderView { number: delivery.number, group, name, sent_at, ..OrderView::default() });
            }
            let Some(order) = orders.last_mut() else { break };
            order.number = delivery.number;
            order.counts.add(delivery.status);
            order.arrived += usize::from(delivery.delivered_at.is_some());
            if rows < ROWS {
                rows += 1;
                order.rows.push(delivery_view(delivery));
            }
        }
        for order in &mut orders {
            // Within an order agents stand as they were told.
            order.rows.reverse();
        }
        orders
    }

    fn link_views(&self) -> Vec<LinkView> {
        let groups = self.world.groups.iter().enumerate();
        let agents = groups.flat_map(|(index, group)| group.members.iter().map(move |slot| (index, *slot)));
        let links = agents.filter_map(|(group, slot)| {
            let id = self.world.agents.id(slot);
            let least = self.posting.links.get(group).copied().flatten()?.timeout;
            let link = self.posting.network.link(id);
            let trip = link.round_trip;
            Some(LinkView {
                agent: AgentKey::from(id),
                group,
                one_way: link.one_way,
                round_trip: trip.smoothed,
                wait: trip.wait(least, 1),
                offline: link.offline,
            })
        });
        links.take(LINKS).collect()
    }
}

fn delivery_view(delivery: &Delivery) -> DeliveryView {
    let after = |time: Option<f64>| time.map(|time| time - delivery.sent_at);
    DeliveryView {
        to: AgentKey::from(delivery.to),
        sends: delivery.sends,
        delivered_after: after(delivery.delivered_at),
        acknowledged_after: after(delivery.acknowledged_at),
        status: delivery.status,
    }
}
