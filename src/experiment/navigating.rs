//! The navigator of a run: it plans before the agents sense, and what it says is heard in the same tick.

use std::sync::Arc;

use super::Experiment;
use super::frame::{AgentKey, MeshView, NavigationView, PathView};
use crate::navigate::{Mesh, Navigator};
use crate::sim::{Event, SimCommand, StateHash};

impl Experiment {
    /// Meshes follow the obstacles, agents their paths; they hear what happened on the way.
    pub(super) fn navigate(&mut self) {
        let Some(navigator) = &mut self.navigator else { return };
        let world = Arc::make_mut(&mut self.world);
        let mut news = std::mem::take(&mut self.path_news);
        navigator.step(world, &mut news);
        for news in news.drain(..) {
            let event = Event { to: news.agent, name: news.name.to_owned(), value: news.value, from: None };
            // Everybody who has news is alive.
            drop(world.apply(SimCommand::Tell(event)));
        }
        self.path_news = news;
    }

    /// Takes what the navigator remembers of each agent into the numbers that its mind wrote.
    pub(super) fn digest_paths(&mut self) {
        let Some(navigator) = &self.navigator else { return };
        for (slot, digest) in self.digests.iter_mut().enumerate() {
            let mut hash = StateHash::new();
            hash.integer(*digest);
            hash.integer(navigator.digest(slot));
            *digest = hash.finish();
        }
    }

    /// The navigator, where the scene has navigation.
    pub fn navigator(&self) -> Option<&Navigator> {
        self.navigator.as_ref()
    }

    /// Meshes, zones and links as drawn.
    pub(super) fn navigation_view(&self) -> Option<NavigationView> {
        let navigator = self.navigator.as_ref()?;
        let settings = navigator.settings();
        let ring = |points: &[glam::DVec2]| points.iter().map(|point| point.extend(0.0)).collect::<Vec<_>>();
        Some(NavigationView {
            meshes: navigator.meshes().map(|mesh| mesh_view(mesh)).collect(),
            zones: settings.zones.iter().map(|zone| (zone.name.clone(), ring(&zone.points), zone.speed)).collect(),
            links: settings
                .links
                .iter()
                .map(|link| (link.from.extend(0.0), link.to.extend(0.0), link.both_ways))
                .collect(),
        })
    }

    /// What is ahead of each agent that has a path.
    pub(super) fn paths_view(&self) -> Vec<PathView> {
        let agents = &self.world.agents;
        let on_way = (0..agents.slots()).filter(|slot| agents.alive[*slot] && agents.course[*slot].path.is_some());
        on_way
            .filter_map(|slot| {
                let course = &agents.course[slot];
                let key = AgentKey::from(agents.id(slot as u32));
                Some(PathView { key, points: course.path.clone()?, next: course.next as usize, state: course.state })
            })
            .collect()
    }
}

fn mesh_view(mesh: &Mesh) -> MeshView {
    let mut view = MeshView { radius: mesh.radius, ..MeshView::default() };
    for polygon in 0..mesh.len() {
        view.polygons.push(mesh.polygon(polygon).map(|point| point.extend(0.0)).collect());
        for (from, to, inner) in mesh.edges(polygon) {
            let line = (from.extend(0.0), to.extend(0.0));
            if !inner {
                view.borders.push(line);
            } else if (from.x, from.y) < (to.x, to.y) {
                // Each portal is an edge of two polygons.
                view.portals.push(line);
            }
        }
    }
    view
}
