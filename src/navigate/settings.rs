//! What a scene says about its ground: floors, zones, links, and how paths are followed.

use glam::DVec2;

/// Ground that can be walked on.
#[derive(Clone, Debug, PartialEq)]
pub struct Floor {
    /// Its name; empty for an unnamed one.
    pub name: String,
    /// Its corners, m; either way round.
    pub points: Vec<DVec2>,
}

impl Floor {
    /// Whether a point (m) lies on it.
    #[must_use]
    pub fn has(&self, at: DVec2) -> bool {
        super::triangles::encloses(&self.points, at)
    }
}

/// Ground that is dearer or slower than the rest, such as stairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// Its name; empty for an unnamed one.
    pub name: String,
    /// Its corners, m; either way round.
    pub points: Vec<DVec2>,
    /// What a metre costs, where one of plain ground costs 1.
    pub cost: f64,
    /// Factor on the speed of who walks there.
    pub speed: f64,
}

/// A way from one point to another beside the ground: a bridge, a lift, stairs to another floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its name; empty for an unnamed one.
    pub name: String,
    /// Where it begins, m.
    pub from: DVec2,
    /// Where it ends, m.
    pub to: DVec2,
    /// What it costs, in metres of plain ground.
    pub cost: f64,
    /// Whether it leads back too.
    pub both_ways: bool,
    /// Time that it takes to be carried from one end to the other, s; without it agents walk across in a straight line.
    pub seconds: Option<f64>,
}

/// The ground of a scene and how paths over it are followed.
///
/// The distances bear the names that Godot's navigation agent gave
/// them; where one is absent it follows from the agent's radius and from what it walks in a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Lower and upper corner of the walkable rectangle, m; used where there are no floors.
    pub area: (DVec2, DVec2),
    /// Ground that can be walked on; the whole area without any.
    pub floors: Vec<Floor>,
    /// Ground that is dearer or slower; where two overlap the later one counts.
    pub zones: Vec<Zone>,
    /// Ways beside the ground.
    pub links: Vec<Link>,
    /// Agents whose radii differ by less than this share one mesh, m.
    pub radius_step: f64,
    /// Between two rebuilds of the mesh pass at least so many seconds.
    pub rebuild_secs: f64,
    /// How far from a corner agents may turn, m: each takes its own share, so that not all take the same point.
    pub corner_spread: Option<f64>,
    /// A waypoint counts as reached below this distance, m.
    pub path_desired_distance: Option<f64>,
    /// The target counts as reached below this distance, m.
    pub target_desired_distance: Option<f64>,
    /// Who is farther than this from its path gets a new one, m.
    pub path_max_distance: Option<f64>,
    /// A new path replaces one that still holds only if it is shorter by this share.
    pub repath_gain: f64,
    /// Who comes no nearer along its path for so long is blocked, s.
    pub blocked_secs: f64,
    /// Whether the blocked seek a way round those who stand.
    pub round_standing: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            area: (DVec2::splat(-10.0), DVec2::splat(10.0)),
            floors: Vec::new(),
            zones: Vec::new(),
            links: Vec::new(),
            radius_step: 0.05,
            rebuild_secs: 0.1,
            corner_spread: None,
            path_desired_distance: None,
            target_desired_distance: None,
            path_max_distance: None,
            repath_gain: 0.05,
            blocked_secs: 2.0,
            round_standing: true,
        }
    }
}

/// The distances of one agent, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Distances {
    pub(super) path_desired: f64,
    pub(super) target_desired: f64,
    pub(super) path_max: f64,
    pub(super) corner_spread: f64,
    /// So far off a leg or a point who does not get on may go along it.
    pub(super) slack: f64,
}

impl Settings {
    /// How far apart the lines of the grid are on which the mesh is built, m, if that is more than a centimetre: the ground is
    /// too large for a mesh.
    #[must_use]
    pub fn too_coarse(&self) -> Option<f64> {
        super::free::too_coarse(self)
    }

    /// The distances for an agent of that radius (m) that walks `step` m in a tick at most; `own`, m, are those to a waypoint, to
    /// the target and from the path that it has itself, 0 for none.
    pub(super) fn distances(&self, radius: f64, step: f64, own: [f64; 3]) -> Distances {
        let [own_path, own_target, own_most] = own.map(|distance| (distance > 0.0).then_some(distance));
        let path_desired = own_path.or(self.path_desired_distance).unwrap_or_else(|| (0.5 * radius).max(0.1).max(step));
        Distances {
            path_desired,
            target_desired: own_target.or(self.target_desired_distance).unwrap_or_else(|| radius.max(0.3).max(step)),
            path_max: own_most
                .or(self.path_max_distance)
                .unwrap_or_else(|| (4.0 * radius).max(2.0).max(2.0 * path_desired)),
            corner_spread: self.corner_spread.unwrap_or(2.0 * radius),
            slack: (0.5 * radius).min(path_desired),
        }
    }

    /// The radius of the mesh that an agent of `radius` m uses: the next larger step.
    pub(super) fn class(&self, radius: f64) -> u32 {
        (radius / self.radius_step - 1e-9).ceil().max(0.0) as u32
    }

    /// The radius of a class, m.
    pub(super) fn class_radius(&self, class: u32) -> f64 {
        f64::from(class) * self.radius_step
    }
}
