//! Navigation as typed: what can be walked on, what it costs, and how paths are followed.

use glam::DVec3;

use crate::scene::decode::{Limit, Spanned, record};

record! {
    /// Ground that can be walked on.
    FloorFile "floor" {
        /// name for people
        name: String = String::new(), optional;
        /// corners in m; agents keep their radius from its edge, except where floors meet
        points: Vec<DVec3> = Vec::new(), required;
    }
}

record! {
    /// Ground that is dearer or slower than the rest, such as stairs.
    ZoneFile "zone" {
        /// name for people
        name: String = String::new(), optional;
        /// corners in m
        points: Vec<DVec3> = Vec::new(), required;
        /// what a metre costs where one of plain ground costs 1; 1/`speed` without it, so that the quickest way is the cheapest
        cost: Option<f64> = None, optional, Limit::Within(0.01, 1000.0);
        /// factor on the speed of who walks there
        speed: f64 = 1.0, optional, Limit::AboveUpTo(0.0, 10.0);
    }
}

record! {
    /// A way from one point to another beside the ground: a bridge, a lift, stairs to another floor.
    LinkFile "link" {
        /// name, which the event `link_reached` carries
        name: String = String::new(), optional;
        /// where it begins, in m
        from: DVec3 = DVec3::ZERO, required;
        /// where it ends, in m
        to: DVec3 = DVec3::ZERO, required;
        /// what it costs, in m of plain ground; its length without it
        cost: Option<f64> = None, optional, Limit::NotNegative;
        /// whether it leads back too
        both_ways: bool = true, optional;
        /// seconds after which agents are put down at its other end; without it they walk across in a straight line
        seconds: Option<f64> = None, optional, Limit::NotNegative;
    }
}

record! {
    /// Paths round obstacles for agents with a goal.
    NavigationFile "navigation" {
        /// ground that can be walked on; the scene's area without any
        floors: Vec<Spanned<FloorFile>> = Vec::new(), optional;
        /// ground that is dearer or slower; where two overlap the later one counts
        zones: Vec<Spanned<ZoneFile>> = Vec::new(), optional;
        /// ways beside the ground
        links: Vec<Spanned<LinkFile>> = Vec::new(), optional;
        /// a waypoint is reached below this distance in m; half the radius without it, at least 0.1 and what is walked in a tick
        path_desired_distance: Option<f64> = None, optional, Limit::Positive;
        /// the target is reached below this distance in m; the radius without it, at least 0.3 and what is walked in a tick, and for the goal of a whole group as much as all need to stand round it
        target_desired_distance: Option<f64> = None, optional, Limit::Positive;
        /// who is farther than this from its path gets a new one, in m; four radii without it, at least 2
        path_max_distance: Option<f64> = None, optional, Limit::Positive;
        /// how far from corners agents turn at most, in m, each by its own share; two radii without it, 0: all at the corner
        corner_spread: Option<f64> = None, optional, Limit::NotNegative;
        /// share by which a new path must be shorter to replace one that still holds
        repath_gain: f64 = 0.05, optional, Limit::Within(0.0, 0.9);
        /// seconds without coming nearer after which an agent is blocked
        blocked_after: f64 = 2.0, optional, Limit::Positive;
        /// whether the blocked seek a way round agents that stand
        round_standing: bool = true, optional;
        /// agents whose radii lie in one step of this, in m, share a mesh
        radius_step: f64 = 0.05, optional, Limit::Within(0.001, 10.0);
        /// seconds between two rebuilds of the mesh while obstacles move
        rebuild_every: f64 = 0.1, optional, Limit::Within(0.0, 60.0);
    }
}
