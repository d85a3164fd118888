//! The navigator of a run: it plans before the agents sense, and what it says is heard in the same tick.

use std::sync::Arc;

use super::Experiment;
use super::frame::{AgentKey, MeshView, NavigationView, PathView};
use crate::navigate::{Mesh, Navigator};
use crate::sim::{Event, SimCommand, StateHash, World};

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

    /// Meshes, zones, links and paths as drawn. A world that stands still, before its first tick or while it is paused, is drawn
    /// as its next tick will plan, so that an obstacle or a goal that was moved meanwhile is seen at once; the run is not touched.
    pub(super) fn navigation_view(&self, cache: &mut NavigationCache) -> Arc<[PathView]> {
        let Some(navigator) = &self.navigator else {
            *cache = NavigationCache::default();
            return Arc::default();
        };
        let (epoch, tick) = (self.epoch, self.world.tick);
        let still = cache.moment == Some((epoch, tick)) || tick == 0;
        cache.moment = Some((epoch, tick));
        if !still {
            let built = Drawn::Run(epoch, navigator.builds());
            if cache.drawn != Some(built) {
                (cache.drawn, cache.view) = (Some(built), Some(Arc::new(ground_view(navigator))));
            }
            return paths_view(&self.world).into();
        }
        let drawn = Drawn::Ahead(epoch, tick, self.path_needs());
        if cache.drawn != Some(drawn) {
            let (ahead, world) = navigator.ahead(&self.world);
            cache.drawn = Some(drawn);
            cache.view = Some(Arc::new(ground_view(&ahead)));
            cache.paths = paths_view(&world).into();
        }
        Arc::clone(&cache.paths)
    }

    /// A number for all that paths depend on in a world that stands still.
    fn path_needs(&self) -> u64 {
        let world = &self.world;
        let mut hash = StateHash::new();
        hash.integer(world.obstacles.version());
        let goals = world.groups.iter().map(|group| group.goal);
        for slot in 0..world.agents.slots() {
            hash.integer(u64::from(world.agents.alive[slot]) | u64::from(world.agents.generation[slot]) << 1);
            hash.number(world.agents.radius[slot]);
            hash.number(world.agents.position[slot].x);
            hash.number(world.agents.position[slot].y);
        }
        for goal in world.agents.goal.iter().copied().chain(goals) {
            let point = goal.unwrap_or(glam::DVec3::NEG_INFINITY);
            hash.number(point.x);
            hash.number(point.y);
        }
        hash.finish()
    }
}

/// Of what the ground was drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Drawn {
    /// Of the navigator of the run: epoch, builds.
    Run(u64, u64),
    /// Of the one that the next tick will have: epoch, tick, and what paths depend on.
    Ahead(u64, u64, u64),
}

/// The ground and paths as they were drawn last.
#[derive(Debug, Default)]
pub(super) struct NavigationCache {
    /// Epoch and tick of the last frame: a second one of the same tick shows a world that stands still.
    moment: Option<(u64, u64)>,
    drawn: Option<Drawn>,
    pub(super) view: Option<Arc<NavigationView>>,
    paths: Arc<[PathView]>,
}

fn ground_view(navigator: &Navigator) -> NavigationView {
    let settings = navigator.settings();
    let ring = |points: &[glam::DVec2]| points.iter().map(|point| point.extend(0.0)).collect::<Vec<_>>();
    let links = settings.links.iter();
    NavigationView {
        meshes: navigator.meshes().map(|mesh| mesh_view(mesh)).collect(),
        zones: settings.zones.iter().map(|zone| (zone.name.clone(), ring(&zone.points), zone.speed)).collect(),
        links: links.map(|link| (link.from.extend(0.0), link.to.extend(0.0), link.both_ways)).collect(),
    }
}

/// What is ahead of each agent that has a path.
fn paths_view(world: &World) -> Vec<PathView> {
    let agents = &world.agents;
    let on_way = (0..agents.slots()).filter(|slot| agents.alive[*slot] && agents.course[*slot].path.is_some());
    on_way
        .filter_map(|slot| {
            let course = &agents.course[slot];
            let key = AgentKey::from(agents.id(slot as u32));
            Some(PathView { key, points: course.path.clone()?, next: course.next as usize, state: course.state })
        })
        .collect()
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
