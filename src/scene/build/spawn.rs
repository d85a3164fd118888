//! Where the agents of a group stand at the start: in rows, at points, or scattered without overlap.
//!
//! Every place is a function of seed, group and agent, so that one agent more moves nobody else.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::overlap::Crowd;
use super::{Birth, Builder};
use crate::scene::decode::Spanned;
use crate::scene::file::{Range, SpawnCommon, SpawnFile};
use crate::scene::ron::Span;
use crate::sim::obstacle::Obstacles;
use crate::sim::rng::Use;
use crate::sim::{Stream, wrap_angle};

/// Tries for one agent before a region counts as full.
const TRIES: u32 = 2000;
/// Tries for the displacement of one agent.
const JITTER_TRIES: u32 = 64;
/// Agents reported one by one; the rest is counted.
const NAMED_FAULTS: usize = 3;

/// Where agents are scattered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Region {
    /// A disc: center and radius in m, at the height of the center.
    Disc(DVec3, f64),
    /// A box: corners in m; flat if both have the same height.
    Box(DVec3, DVec3),
}

impl Region {
    fn point(self, stream: &mut Stream) -> DVec3 {
        match self {
            Self::Disc(at, radius) => at + in_disc(stream, radius),
            Self::Box(min, max) => {
                let share = DVec3::new(stream.unit(), stream.unit(), stream.unit());
                min + (max - min) * share
            }
        }
    }

    /// The share that `count` bodies of this radius (m) cover of the space that they can reach, with their rims.
    fn cover(self, count: usize, radius: f64) -> f64 {
        if count == 0 || radius == 0.0 {
            return 0.0;
        }
        let disc = PI * radius * radius;
        let (one, all) = match self {
            Self::Disc(_, reach) => (disc, PI * (reach + radius) * (reach + radius)),
            Self::Box(min, max) => {
                let size = max - min + 2.0 * radius;
                let flat = max.z <= min.z;
                if flat { (disc, size.x * size.y) } else { (disc * radius * 4.0 / 3.0, size.x * size.y * size.z) }
            }
        };
        count as f64 * one / all
    }
}

/// Scattering stopped: the region is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoRoom {
    /// How many fitted.
    pub fitted: usize,
}

/// Places `count` agents of one radius (m) in a region, clear of the crowd and of obstacles, and adds them to the crowd.
///
/// Random sequential: a place is drawn until it is free. `salt` tells draws for several groups or commands apart.
///
/// # Errors
/// How many fitted, when one found no place in 2000 tries. The crowd keeps those.
pub fn scatter(
    region: Region,
    (group, count): (usize, usize),
    radius: f64,
    (seed, salt): (u64, u64),
    crowd: &mut Crowd,
    obstacles: &Obstacles,
) -> Result<Vec<DVec3>, NoRoom> {
    let mut places = Vec::with_capacity(count.min(1_000_000));
    for index in 0..count {
        let mut stream = Stream::with_salt(seed, index as u64, 0, Use::Spawn, salt);
        let free = (0..TRIES).map(|_| region.point(&mut stream)).find(|&at| is_free(at, radius, crowd, obstacles));
        let Some(at) = free else {
            return Err(NoRoom { fitted: index });
        };
        crowd.add(at, radius, (group, index));
        places.push(at);
    }
    Ok(places)
}

fn is_free(at: DVec3, radius: f64, crowd: &Crowd, obstacles: &Obstacles) -> bool {
    crowd.overlap(at, radius).is_none() && obstacles.nearest(at, radius).is_none_or(|hit| hit.distance >= radius)
}

/// A displacement within a disc.
fn in_disc(stream: &mut Stream, radius: f64) -> DVec3 {
    let far = radius * stream.unit().sqrt();
    let angle = TAU * stream.unit();
    DVec3::new(far * libm::cos(angle), far * libm::sin(angle), 0.0)
}

/// What spawning one group needs to know.
pub(super) struct Party<'a> {
    pub(super) name: &'a str,
    pub(super) index: usize,
    pub(super) count: usize,
    /// The largest radius that an agent can have, m.
    pub(super) radius: f64,
}

impl Builder<'_> {
    /// The agents of a group.
    pub(super) fn births(
        &mut self,
        party: &Party<'_>,
        spawn: &Spanned<SpawnFile>,
        crowd: &mut Crowd,
        obstacles: &Obstacles,
    ) -> Vec<Birth> {
        let common = spawn.value.common();
        let places = match &spawn.value {
            SpawnFile::Grid(grid) => {
                let columns = grid.columns.map_or_else(|| square_columns(party.count), |columns| columns as usize);
                let place =
                    |i: usize| grid.at + DVec3::new((i % columns) as f64, (i / columns) as f64, 0.0) * grid.spacing;
                let places: Vec<_> = (0..party.count).map(|i| (place(i), spawn.span)).collect();
                self.given(party, &places, common, crowd, obstacles)
            }
            SpawnFile::Points(points) => {
                let places: Vec<_> = points.0.points.iter().map(|point| (point.value, point.span)).collect();
                self.given(party, &places, common, crowd, obstacles)
            }
            SpawnFile::Ring(ring) => {
                let place = |i: usize| {
                    let angle = TAU * i as f64 / party.count as f64;
                    ring.at + crate::sim::angle::direction(angle) * ring.radius
                };
                let places: Vec<_> = (0..party.count).map(|i| (place(i), spawn.span)).collect();
                self.given(party, &places, common, crowd, obstacles)
            }
            SpawnFile::Disc(disc) => {
                let region = Region::Disc(disc.at, disc.radius);
                self.scattered(party, region, spawn.span, crowd, obstacles)
            }
            SpawnFile::Box(corners) => {
                let (min, max) = (corners.min.min(corners.max), corners.max.max(corners.min));
                self.scattered(party, Region::Box(min, max), spawn.span, crowd, obstacles)
            }
        };
        self.outside_area(party, &places, spawn.span);
        let seed = self.file.seed;
        places.iter().enumerate().map(|(i, &position)| birth(seed, party.index, i, position, common)).collect()
    }

    fn scattered(
        &mut self,
        party: &Party<'_>,
        region: Region,
        span: Span,
        crowd: &mut Crowd,
        obstacles: &Obstacles,
    ) -> Vec<DVec3> {
        let (count, radius) = (party.count, party.radius);
        // No arrangement of equal discs covers more than 0.91, none of balls more than 0.75; drawing would take long to find out.
        let hopeless = region.cover(count, radius) > 0.95;
        let draws = (self.file.seed, party.index as u64);
        let found = if hopeless {
            Err(None)
        } else {
            scatter(region, (party.index, count), radius, draws, crowd, obstacles).map_err(|room| Some(room.fitted))
        };
        let fitted = match found {
            Ok(places) => return places,
            Err(fitted) => fitted,
        };
        let (what, hint) = match region {
            Region::Disc(..) => {
                let enough = radius * (count as f64 / 0.4).sqrt();
                ("disc", format!("a radius of {enough:.1} m gives enough room; or spawn fewer, or use `Grid(…)`"))
            }
            Region::Box(..) => ("box", "make the box larger, spawn fewer, or use `Grid(…)`".to_owned()),
        };
        let how_many = fitted.map_or_else(
            || format!("{count} agents of group `{}` cannot fit into the {what}", party.name),
            |fitted| {
                format!("only {fitted} of {count} agents of group `{}` fit into the {what} without overlap", party.name)
            },
        );
        let message = format!("{how_many}: their centers must be {} m apart", short(2.0 * radius));
        self.group_error(party.name, span, "no-room", message, Some(hint));
        Vec::new()
    }

    /// Given places: displaced by jitter, checked against the crowd and the obstacles.
    fn given(
        &mut self,
        party: &Party<'_>,
        places: &[(DVec3, Span)],
        common: SpawnCommon,
        crowd: &mut Crowd,
        obstacles: &Obstacles,
    ) -> Vec<DVec3> {
        let mut found = Vec::with_capacity(places.len());
        let mut faults = 0;
        for (i, &(place, span)) in places.iter().enumerate() {
            let at = self.displaced(party, i, place, common.jitter, crowd, obstacles);
            if let Some((message, hint)) = self.fault_of(party, i, at, crowd, obstacles) {
                faults += 1;
                if faults <= NAMED_FAULTS {
                    self.group_error(party.name, span, "overlap", message, Some(hint));
                }
            }
            crowd.add(at, party.radius, (party.index, i));
            found.push(at);
        }
        if faults > NAMED_FAULTS
            && let Some(last) = self.problems.last_mut()
        {
            last.message = format!("{} (and {} more like it)", last.message, faults - NAMED_FAULTS);
        }
        found
    }

    fn displaced(
        &self,
        party: &Party<'_>,
        i: usize,
        place: DVec3,
        jitter: f64,
        crowd: &Crowd,
        obstacles: &Obstacles,
    ) -> DVec3 {
        if jitter <= 0.0 {
            return place;
        }
        let mut stream = Stream::with_salt(self.file.seed, i as u64, 0, Use::Spawn, party.index as u64);
        (0..JITTER_TRIES)
            .map(|_| place + in_disc(&mut stream, jitter))
            .find(|&at| is_free(at, party.radius, crowd, obstacles))
            .unwrap_or(place)
    }

    /// What is wrong with a place, and what to try.
    fn fault_of(
        &self,
        party: &Party<'_>,
        i: usize,
        at: DVec3,
        crowd: &Crowd,
        obstacles: &Obstacles,
    ) -> Option<(String, String)> {
        let agent = format!("agent {} of group `{}`", i + 1, party.name);
        if let Some(hit) = obstacles.nearest(at, party.radius).filter(|hit| hit.distance < party.radius - 1e-9) {
            let index: Option<usize> = obstacles.get(hit.id).and_then(|obstacle| obstacle.name.parse().ok());
            let obstacle = self.obstacle_label(index);
            let message = if hit.distance < 0.0 {
                format!("{agent} at {} is inside {obstacle}", point(at))
            } else {
                let free = short(hit.distance);
                format!(
                    "{agent} at {} is {free} m from {obstacle}, less than its radius {} m",
                    point(at),
                    short(party.radius)
                )
            };
            let away = at + hit.normal * (party.radius - hit.distance);
            return Some((message, format!("the nearest free place is {}", point(away))));
        }
        let overlap = crowd.overlap(at, party.radius)?;
        let (group, index) = overlap.who;
        let other = self.file.groups.get(group).map_or("", |group| &group.value.name.value);
        let (distance, needed) = (short(overlap.distance), short(overlap.needed));
        let message = format!(
            "{agent} at {} is {distance} m from agent {} of group `{other}`; they need {needed} m",
            point(at),
            index + 1
        );
        Some((message, "more spacing, another place, or a smaller `radius` in `body`".to_owned()))
    }

    fn obstacle_label(&self, index: Option<usize>) -> String {
        let Some(obstacle) = index.and_then(|index| self.file.obstacles.get(index)) else {
            return "an obstacle".to_owned();
        };
        let kind = obstacle.value.shape().kind();
        match obstacle.value.name() {
            "" => format!("the {kind} in line {}", obstacle.span.line),
            name => format!("the obstacle `{}`", crate::scene::ron::shortened(name)),
        }
    }

    /// Agents that start outside of the area: allowed, but seldom meant.
    fn outside_area(&mut self, party: &Party<'_>, places: &[DVec3], span: Span) {
        let Some(area) = self.file.area.as_ref().map(|area| area.value.area()) else {
            return;
        };
        if self.file.edge.value == crate::sim::Edge::Open {
            return;
        }
        let outside = |at: DVec3| {
            (0..3)
                .any(|axis| area.max[axis] > area.min[axis] && (at[axis] < area.min[axis] || at[axis] > area.max[axis]))
        };
        let Some(first) = places.iter().position(|&at| outside(at)) else {
            return;
        };
        let message = format!(
            "agent {} of group `{}` starts outside of the area, at {}",
            first + 1,
            party.name,
            point(places[first])
        );
        self.warn(span, "outside-area", message, "move the spawn, or make the area larger");
    }
}

/// Columns of a grid that is as square as possible.
fn square_columns(count: usize) -> usize {
    ((count as f64).sqrt().ceil() as usize).max(1)
}

fn birth(seed: u64, group: usize, index: usize, position: DVec3, common: SpawnCommon) -> Birth {
    // A salt apart from that of the places, so that a jitter does not change headings.
    let mut stream = Stream::with_salt(seed, index as u64, 1, Use::Spawn, group as u64);
    let heading = wrap_angle(drawn(common.heading_deg, &mut stream).to_radians());
    let speed = drawn(common.speed, &mut stream);
    Birth { position, velocity: crate::sim::angle::direction(heading) * speed, heading }
}

fn drawn(range: Range, stream: &mut Stream) -> f64 {
    // Drawn even where the range is one number, so that the next draw does not depend on it.
    let drawn = stream.uniform(range.from, range.to);
    if range.from == range.to { range.from } else { drawn }
}

/// Up to three digits behind the point, without zeros at the end.
fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn point(at: DVec3) -> String {
    if at.z == 0.0 {
        return format!("({}, {})", short(at.x), short(at.y));
    }
    format!("({}, {}, {})", short(at.x), short(at.y), short(at.z))
}
