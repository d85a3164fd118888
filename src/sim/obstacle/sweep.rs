//! Swept motion: where a moving disc or ball first touches something, and how it slides on.

use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::ControlFlow;

use glam::DVec3;

use super::near::{Near, ball, disc, solid_box};
use super::query::answerable;
use super::set::{ObstacleId, Obstacles};
use super::tree::{Entry, PAD, Part, may_touch, visit};

/// A moving body stops this far before a surface, m, so that rounding never puts it on the other side of a thin wall.
pub const CONTACT_GAP: f64 = 1e-6;

/// Approach slower than this share of the motion is sliding along.
const GRAZING: f64 = 1e-12;

/// What goes into a surface by less than this share is clipped without a word.
const CLIPPED: f64 = 1e-9;

/// A first contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sweep {
    /// Share of the motion before the contact, 0–1.
    pub t: f64,
    /// What is touched.
    pub id: ObstacleId,
    /// Outward unit normal of the obstacle at the contact.
    pub normal: DVec3,
}

/// Where a body ends that slides along what it touches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slide {
    /// Position at the end of the step.
    pub at: DVec3,
    /// Velocity without the part that went into obstacles, m/s.
    pub velocity: DVec3,
    /// The first contact, if any.
    pub contact: Option<Sweep>,
}

impl Obstacles {
    /// First contact of a disc (of a ball, where the obstacle has a height) of `radius` m that moves from `from` to
    /// `to`. A body that touches or overlaps already is stopped at `t = 0` when it moves deeper and not at all when it
    /// moves outward. `None` for free motion, no motion, and for anything not finite.
    pub fn sweep(&self, from: DVec3, to: DVec3, radius: f64) -> Option<Sweep> {
        if to.is_finite() { self.sweep_by(from, to - from, radius) } else { None }
    }

    /// The same of a motion by `whole` m, which is not rounded to where it leads.
    fn sweep_by(&self, from: DVec3, whole: DVec3, radius: f64) -> Option<Sweep> {
        let usable = answerable(from) && whole.is_finite() && radius.is_finite() && whole != DVec3::ZERO;
        if !usable || self.blocks_nothing() {
            return None;
        }
        // A step across the universe is cut where no obstacle can be any more.
        let share = (1e13 / whole.abs().max_element()).min(1.0);
        let motion = whole * share;
        let goal = radius.max(0.0) + CONTACT_GAP;
        let first: Cell<Option<Sweep>> = Cell::new(None);
        let start = from.truncate();
        let test = |flat: &_| {
            let end = start + motion.truncate() * first.get().map_or(1.0, |sweep| sweep.t);
            may_touch(flat, start, end, goal + PAD)
        };
        let _all = visit(self.tree.root(), &test, &mut |entry| {
            self.sweep_part(entry, from, motion, goal, &mut |t, normal| {
                let new = Sweep { t, id: entry.id, normal };
                if first.get().is_none_or(|old| order(&new, &old).is_lt()) {
                    first.set(Some(new));
                }
            });
            ControlFlow::Continue(())
        });
        first.get().map(|sweep| Sweep { t: sweep.t * share, ..sweep })
    }

    /// Moves a body from `from` toward `to` and slides along what it touches; `velocity` loses the part that goes into
    /// obstacles. In a corner it stops.
    pub fn slide(&self, from: DVec3, to: DVec3, radius: f64, velocity: DVec3) -> Slide {
        let mut slide = Slide { at: from, velocity, contact: None };
        let mut left = to - from;
        let mut normals = [DVec3::ZERO; 4];
        for count in 0..normals.len() {
            let Some(sweep) = self.sweep_by(slide.at, left, radius) else {
                // Without any contact the end is exactly `to`.
                slide.at = if count == 0 { to } else { slide.at + left };
                return slide;
            };
            slide.contact = slide.contact.or(Some(sweep));
            slide.at += left * sweep.t;
            normals[count] = sweep.normal;
            let grazing = grazing(slide.at, radius.max(0.0) + CONTACT_GAP);
            left = clipped(left * (1.0 - sweep.t), &normals[..=count], grazing);
            slide.velocity = clipped(slide.velocity, &normals[..=count], grazing);
        }
        slide
    }

    fn sweep_part(&self, entry: &Entry, from: DVec3, motion: DVec3, goal: f64, found: &mut impl FnMut(f64, DVec3)) {
        let contact = match entry.part {
            Part::Disc { at, radius } => first_contact(from, motion, goal, |p| disc(at, radius, p)),
            Part::Ball { at, radius } => first_contact(from, motion, goal, |p| ball(at, radius, p)),
            Part::Box { min, max, axes } => first_contact(from, motion, goal, |p| solid_box(min, max, axes, p)),
            Part::Region => {
                let inside = self.near_part(entry, from);
                let inside = inside.filter(|hit| moves_into(motion, hit.normal, grazing(from, goal)));
                inside.map(|hit| (0.0, hit.normal))
            }
            Part::Edges(chunk) => {
                let Some(stored) = self.find(entry.id) else {
                    return;
                };
                let solid = stored.obstacle.shape.is_solid();
                for edge in stored.chunk(chunk) {
                    // A solid's edge is never touched from its back: at every corner that a body can touch from
                    // outside, at least one of the two edges faces it.
                    if solid && motion.truncate().dot(edge.right()) >= 0.0 {
                        continue;
                    }
                    if let Some((t, normal)) = first_contact(from, motion, goal, |p| edge.near(p)) {
                        found(t, normal);
                    }
                }
                None
            }
        };
        if let Some((t, normal)) = contact {
            found(t, normal);
        }
    }
}

/// Earliest first; what follows the id decides between edges of the same obstacle.
fn order(a: &Sweep, b: &Sweep) -> Ordering {
    let normals = a.normal.to_array().into_iter().zip(b.normal.to_array());
    let rest = normals.map(|(a, b)| a.total_cmp(&b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
    a.t.total_cmp(&b.t).then(a.id.cmp(&b.id)).then(rest)
}

/// The share below which an approach at a place, at `distance` m from what is approached, is sliding along: far from the origin
/// places are rounded, and with them the normal of a corner.
fn grazing(at: DVec3, distance: f64) -> f64 {
    GRAZING.max(4.0 * f64::EPSILON * at.abs().max_element() / distance.max(CONTACT_GAP))
}

fn moves_into(motion: DVec3, normal: DVec3, grazing: f64) -> bool {
    motion.dot(normal) < -grazing * motion.length()
}

/// When the distance to a convex part first falls to `goal` along the motion, as a share of it, with the normal there.
///
/// Along a line the distance to a convex set is a convex function, so Newton's steps from before the contact never pass
/// it.
fn first_contact(from: DVec3, motion: DVec3, goal: f64, near: impl Fn(DVec3) -> Near) -> Option<(f64, DVec3)> {
    let mut here = near(from);
    let grazing = grazing(from, goal);
    if here.distance <= goal {
        return moves_into(motion, here.normal, grazing).then_some((0.0, here.normal));
    }
    let mut t = 0.0;
    for _ in 0..64 {
        let slope = motion.dot(here.normal);
        if !moves_into(motion, here.normal, grazing) {
            return None;
        }
        let gap = here.distance - goal;
        if gap <= 0.1 * CONTACT_GAP {
            break;
        }
        t -= gap / slope;
        if t > 1.0 {
            return None;
        }
        here = near(from + motion * t);
    }
    Some((t, here.normal))
}

/// The part of a vector that goes into none of the surfaces, but by a share of `grazing`.
fn clipped(v: DVec3, normals: &[DVec3], grazing: f64) -> DVec3 {
    let into = |v: DVec3, normal: &DVec3| moves_into(v, *normal, grazing.max(CLIPPED));
    let flat = |v: DVec3, normal: &DVec3| v - *normal * v.dot(*normal).min(0.0);
    let free = |v: DVec3| !normals.iter().any(|normal| into(v, normal));
    if free(v) {
        return normals.iter().fold(v, flat);
    }
    let single = normals.iter().map(|normal| flat(v, normal)).find(|v| free(*v));
    // With two surfaces only the line they share is left; in the plane that is nothing.
    let crease = || {
        let pairs = normals.iter().enumerate().flat_map(|(i, a)| normals[i + 1..].iter().map(move |b| a.cross(*b)));
        pairs.map(|line| v.project_onto(line)).filter(|v| v.is_finite()).find(|v| free(*v))
    };
    single.or_else(crease).unwrap_or(DVec3::ZERO)
}
