//! Where agents go that are added while a scene runs.

use glam::{DVec2, DVec3};

use crate::sim::{Edge, Stream, World, rng::Use};

/// Tries per agent before it finds no room.
const TRIES: usize = 200;

/// Up to `count` places for agents of a group in a disc round `at`, inside of the area where that has an edge.
///
/// No overlap with agents, obstacles or each other. They depend on seed, tick, group and what stands there only. With radius 0
/// and one agent the place is `at` itself.
pub fn places(world: &World, group: usize, count: usize, at: DVec3, radius: f64) -> Vec<DVec3> {
    let body = world.groups[group].body.radius;
    // Who asks again within a tick gets other luck: the first places are taken.
    let newcomers = world.groups[group].members.iter().filter(|slot| is_new(world, **slot as usize)).count();
    let salt = 1 + newcomers as u64;
    let mut luck = Stream::with_salt(world.settings.seed, group as u64, world.tick, Use::Spawn, salt);
    let region = Region::new(world, at, radius, body);
    let mut taken = Taken::new(world, &region, body);
    let mut places: Vec<DVec3> = Vec::new();
    for _ in 0..count {
        let found = (0..TRIES).find_map(|attempt| {
            let candidate = if attempt == 0 && count == 1 { at } else { region.draw(&mut luck)? };
            let free = taken.is_free(candidate, body) && world.obstacles.clearance(candidate) >= body;
            free.then_some(candidate)
        });
        let Some(place) = found else { break };
        taken.add(place, body);
        places.push(place);
    }
    places
}

/// Whether an agent was added in this tick, after the scene had started.
fn is_new(world: &World, slot: usize) -> bool {
    world.agents.born[slot] == world.tick
}

/// A disc, or what an area leaves of it.
struct Region {
    at: DVec3,
    radius: f64,
    /// The box in which is drawn where the area cuts the disc.
    cut: Option<(DVec2, DVec2)>,
}

impl Region {
    fn new(world: &World, at: DVec3, radius: f64, body: f64) -> Self {
        let radius = radius.max(0.0);
        let whole = Self { at, radius, cut: None };
        let Some(area) = world.settings.space.area.filter(|_| world.settings.space.edge != Edge::Open) else {
            return whole;
        };
        let reach = DVec2::splat(radius);
        // Bodies stay clear of the edge, so that in a wrapped world none overlaps another one across it.
        let (low, high) = (area.min.truncate() + body, area.max.truncate() - body);
        let (cut_low, cut_high) = ((at.truncate() - reach).max(low), (at.truncate() + reach).min(high));
        let inside = (cut_low, cut_high) == (at.truncate() - reach, at.truncate() + reach);
        let empty = cut_low.cmpgt(cut_high).any();
        Self { cut: (!inside && !empty).then_some((cut_low, cut_high)), ..whole }
    }

    /// A point of it; none if luck missed the disc.
    fn draw(&self, luck: &mut Stream) -> Option<DVec3> {
        let Some((low, high)) = self.cut else { return Some(in_disc(luck, self.at, self.radius)) };
        let point = DVec2::new(luck.uniform(low.x, high.x), luck.uniform(low.y, high.y));
        (point.distance(self.at.truncate()) <= self.radius).then(|| point.extend(self.at.z))
    }

    /// The box that holds it.
    fn bounds(&self) -> (DVec2, DVec2) {
        self.cut.unwrap_or_else(|| (self.at.truncate() - self.radius, self.at.truncate() + self.radius))
    }
}

fn in_disc(luck: &mut Stream, at: DVec3, radius: f64) -> DVec3 {
    let angle = luck.uniform(0.0, std::f64::consts::TAU);
    let reach = radius * libm::sqrt(luck.unit());
    at + DVec3::new(reach * libm::cos(angle), reach * libm::sin(angle), 0.0)
}

/// Cells at most; larger regions have larger cells.
const MOST_CELLS: f64 = 4e6;
/// No entry.
const NOBODY: u32 = u32::MAX;

/// Who stands in a region already, in cells as wide as two bodies: a newcomer looks at nine of them, not at everybody.
struct Taken {
    low: DVec2,
    side: f64,
    columns: usize,
    rows: usize,
    /// The last one of each cell.
    last: Vec<u32>,
    /// Place, radius, and the one before in the same cell.
    standing: Vec<(DVec3, f64, u32)>,
}

impl Taken {
    fn new(world: &World, region: &Region, body: f64) -> Self {
        let agents = &world.agents;
        let living = || (0..agents.slots()).filter(|slot| agents.alive[*slot]);
        let largest = living().map(|slot| agents.radius[slot]).fold(body, f64::max);
        let reach = body + largest;
        let (low, high) = region.bounds();
        let (low, high) = (low - reach, high + reach);
        let size = high - low;
        let side = reach.max((size.x * size.y / MOST_CELLS).sqrt()).max(1e-6);
        let (columns, rows) = ((size.x / side) as usize + 1, (size.y / side) as usize + 1);
        let mut taken = Self { low, side, columns, rows, last: vec![NOBODY; columns * rows], standing: Vec::new() };
        // In a wrapped world an agent also stands one period away on each side.
        let period = world.settings.space.period();
        let step = |i: i32| f64::from(i % 3 - 1);
        let steps = (0..27).map(|i| DVec3::new(step(i), step(i / 3), step(i / 9)));
        let shifts: Vec<DVec3> = steps
            .filter(|step| (0..3).all(|axis| step[axis] == 0.0 || period[axis] > 0.0))
            .map(|step| step * period)
            .collect();
        for slot in living() {
            for image in shifts.iter().map(|shift| agents.position[slot] + *shift) {
                if image.truncate().cmpge(low).all() && image.truncate().cmple(high).all() {
                    taken.add(image, agents.radius[slot]);
                }
            }
        }
        taken
    }

    fn cell(&self, at: DVec3) -> (usize, usize) {
        let cell = (at.truncate() - self.low) / self.side;
        ((cell.x.max(0.0) as usize).min(self.columns - 1), (cell.y.max(0.0) as usize).min(self.rows - 1))
    }

    fn add(&mut self, at: DVec3, radius: f64) {
        let (column, row) = self.cell(at);
        let cell = row * self.columns + column;
        let before = std::mem::replace(&mut self.last[cell], self.standing.len() as u32);
        self.standing.push((at, radius, before));
    }

    fn is_free(&self, at: DVec3, radius: f64) -> bool {
        let (column, row) = self.cell(at);
        for row in row.saturating_sub(1)..=(row + 1).min(self.rows - 1) {
            for column in column.saturating_sub(1)..=(column + 1).min(self.columns - 1) {
                let mut next = self.last[row * self.columns + column];
                while let Some(&(other, other_radius, before)) = self.standing.get(next as usize) {
                    let touch = radius + other_radius;
                    if other.distance_squared(at) < touch * touch {
                        return false;
                    }
                    next = before;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Area, BodySpec, Group, GroupId, SimCommand, Space, WorldSettings};

    fn world(edge: Edge, side: f64, radius: f64) -> World {
        let area = Area { min: DVec3::ZERO, max: DVec3::new(side, side, 0.0) };
        let settings = WorldSettings { space: Space { area: Some(area), edge }, planar: true, ..Default::default() };
        let mut world = World::new(settings);
        world.add_group(Group::new(GroupId(0), "many", BodySpec { radius, ..BodySpec::default() }));
        world
    }

    fn grow(world: &mut World, count: usize, at: DVec3, radius: f64) -> usize {
        let found = places(world, 0, count, at, radius);
        for &position in &found {
            let spawn = SimCommand::Spawn { group: GroupId(0), position, heading: 0.0, velocity: DVec3::ZERO };
            world.apply(spawn).expect("a finite place");
        }
        found.len()
    }

    fn nearest_pair(world: &World) -> f64 {
        let at = &world.agents.position;
        let pairs = (0..at.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.map(|(i, j)| world.offset(at[i], at[j]).length()).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn growing_by_parts_without_a_tick_between_gives_no_overlap_also_across_a_wrapped_edge() {
        for edge in [Edge::Wrap, Edge::Turn] {
            let mut one = world(edge, 12.0, 0.15);
            let mut two = world(edge, 12.0, 0.15);
            // The disc lies across two edges of the area.
            for world in [&mut one, &mut two] {
                for _ in 0..4 {
                    assert_eq!(grow(world, 60, DVec3::new(1.0, 1.0, 0.0), 9.0), 60);
                }
            }
            assert!(nearest_pair(&one) >= 0.3, "{edge:?}: two are {} m apart", nearest_pair(&one));
            assert_eq!(one.agents.position, two.agents.position, "the same places again");
            let inside = |p: &DVec3| p.x >= 0.15 && p.y >= 0.15 && p.x <= 11.85 && p.y <= 11.85;
            assert!(one.agents.position.iter().all(inside), "{edge:?}: somebody stands outside");
        }
    }

    #[test]
    fn a_full_region_takes_no_more_and_ends() {
        let mut world = world(Edge::Turn, 4.0, 0.5);
        let fitted = grow(&mut world, 1000, DVec3::new(2.0, 2.0, 0.0), 10.0);
        assert!((5..=12).contains(&fitted), "{fitted} discs of radius 0.5 in a square of 4 m");
    }

    #[test]
    fn one_agent_stands_where_it_was_asked_for() {
        let mut world = world(Edge::Turn, 12.0, 0.15);
        let at = DVec3::new(3.0, 4.0, 0.0);
        assert_eq!(places(&world, 0, 1, at, 0.3), [at]);
        grow(&mut world, 1, at, 0.3);
        let second = places(&world, 0, 1, at, 1.0);
        assert!(second[0] != at && second[0].distance(at) >= 0.3, "the place is taken: {second:?}");
    }
}
