//! Navigation: ground, zones and links checked, defaults filled in.

use glam::{DVec2, DVec3};

use super::Builder;
use crate::navigate::{Floor, Link, Settings, Zone};
use crate::scene::decode::Spanned;
use crate::scene::file::{LinkFile, NavigationFile};
use crate::scene::ron::Span;
use crate::sim::{Edge, Space};

impl Builder<'_> {
    pub(super) fn navigation(&mut self, space: &Space) -> Option<Settings> {
        let Spanned { value: file, span } = self.file.navigation.clone()?;
        if space.edge == Edge::Wrap {
            let hint = "another edge, or no navigation: paths do not lead round the world";
            self.refuse(span, "bad-navigation", "navigation needs an edge that does not wrap", hint);
        }
        let area = match space.area {
            Some(area) => (area.min.truncate(), area.max.truncate()),
            None if file.floors.is_empty() => {
                let hint = "add `area: (min: (-20, -15), max: (40, 15))`, or floors";
                self.refuse(span, "missing-field", "navigation needs ground: the scene has no area", hint);
                return None;
            }
            None => (DVec2::ZERO, DVec2::ZERO),
        };
        let mut settings = Settings {
            area,
            radius_step: file.radius_step,
            rebuild_secs: file.rebuild_every,
            corner_spread: file.corner_spread,
            path_desired_distance: file.path_desired_distance,
            target_desired_distance: file.target_desired_distance,
            path_max_distance: file.path_max_distance,
            repath_gain: file.repath_gain,
            blocked_secs: file.blocked_after,
            round_standing: file.round_standing,
            ..Settings::default()
        };
        for floor in &file.floors {
            let points = self.ring("floor", &floor.value.points, floor.span);
            settings.floors.push(Floor { name: floor.value.name.clone(), points });
        }
        for zone in &file.zones {
            let points = self.ring("zone", &zone.value.points, zone.span);
            let cost = zone.value.cost.unwrap_or(1.0 / zone.value.speed);
            settings.zones.push(Zone { name: zone.value.name.clone(), points, cost, speed: zone.value.speed });
        }
        if let Some(line) = settings.too_coarse() {
            let message = format!("the ground is so large that the mesh would be no finer than {line:.2} m");
            let hint = "make the area or the floors smaller than 10000 km";
            self.refuse(span, "bad-navigation", message, hint);
        }
        self.links(&file, &mut settings);
        Some(settings)
    }

    /// Corners of an area in the plane.
    fn ring(&mut self, what: &str, points: &[DVec3], span: Span) -> Vec<DVec2> {
        let ring: Vec<DVec2> = points.iter().map(|point| point.truncate()).collect();
        let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
        let area: f64 = pairs.map(|(a, b)| a.perp_dot(*b)).sum();
        if let Some(at) = crossing(&ring) {
            let message = format!("the outline of this {what} crosses itself at ({:.3}, {:.3})", at.x, at.y);
            self.refuse(span, "bad-navigation", message, "give its corners in the order in which one walks round it");
        } else if ring.len() < 3 || area.abs() < 1e-9 {
            let message = format!("this {what} has no area: it needs three corners that are not in line");
            self.refuse(span, "bad-navigation", message, "`points: [(0, 0), (4, 0), (4, 3), (0, 3)]`");
        }
        ring
    }

    fn links(&mut self, file: &NavigationFile, settings: &mut Settings) {
        for link in &file.links {
            let LinkFile { name, from, to, cost, both_ways, seconds } = link.value.clone();
            let (from, to) = (from.truncate(), to.truncate());
            let length = from.distance(to);
            if length < 1e-6 {
                let hint = "give `from` and `to` two places";
                self.refuse(link.span, "bad-navigation", "this link begins where it ends", hint);
            }
            for (end, at) in [("begins", from), ("ends", to)] {
                if !on_ground(settings, at) {
                    let message = format!("this link {end} off the ground, at ({}, {})", at.x, at.y);
                    let hint = "put both ends on a floor, or into the area where there are no floors";
                    self.refuse(link.span, "bad-navigation", message, hint);
                }
            }
            let cost = cost.unwrap_or(length);
            settings.links.push(Link { name, from, to, cost, both_ways, seconds });
        }
    }

    fn refuse(&mut self, span: Span, code: &str, message: impl Into<String>, hint: &str) {
        if let Some(problem) = self.error(span, code, message) {
            problem.hint = Some(hint.to_owned());
        }
    }
}

/// Where two edges of a ring first cross, touching apart.
fn crossing(ring: &[DVec2]) -> Option<DVec2> {
    let edge = |index: usize| (ring[index], ring[(index + 1) % ring.len()]);
    (0..ring.len()).find_map(|first| {
        let (a, b) = edge(first);
        let side = |p: DVec2| (b - a).perp_dot(p - a);
        (first + 1..ring.len()).find_map(|second| {
            let (c, d) = edge(second);
            let other = |p: DVec2| (d - c).perp_dot(p - c);
            let crosses = side(c) * side(d) < 0.0 && other(a) * other(b) < 0.0;
            crosses.then(|| a + (b - a) * (other(a) / (other(a) - other(b))))
        })
    })
}

fn on_ground(settings: &Settings, at: DVec2) -> bool {
    let (low, high) = settings.area;
    if settings.floors.is_empty() {
        return at.cmpge(low).all() && at.cmple(high).all();
    }
    settings.floors.iter().any(|floor| floor.has(at))
}
