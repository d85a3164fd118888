//! Obstacles as typed.

use glam::DVec3;

use crate::scene::decode::{Limit, choice, record};
use crate::sim::obstacle::Shape as Form;

record! {
    /// A solid disc, a pillar of any height.
    DiscFile "Disc" {
        /// name for scripts and messages
        name: String = String::new(), optional;
        /// center in m
        at: DVec3 = DVec3::ZERO, required;
        /// radius in m
        radius: f64 = 1.0, required, Limit::Positive;
        /// whether it is out of the way at the start, like an open door
        open: bool = false, optional;
    }
}

record! {
    /// A solid ball.
    SphereFile "Sphere" {
        /// name for scripts and messages
        name: String = String::new(), optional;
        /// center in m
        at: DVec3 = DVec3::ZERO, required;
        /// radius in m
        radius: f64 = 1.0, required, Limit::Positive;
        /// whether it is out of the way at the start, like an open door
        open: bool = false, optional;
    }
}

record! {
    /// A solid box along the axes.
    BoxFile "Box" {
        /// name for scripts and messages
        name: String = String::new(), optional;
        /// one corner in m
        min: DVec3 = DVec3::ZERO, required;
        /// the opposite corner in m
        max: DVec3 = DVec3::ZERO, required;
        /// whether it is out of the way at the start, like an open door
        open: bool = false, optional;
    }
}

record! {
    /// A thin straight wall.
    WallFile "Wall" {
        /// name for scripts and messages
        name: String = String::new(), optional;
        /// one end in m
        from: DVec3 = DVec3::ZERO, required;
        /// the other end in m
        to: DVec3 = DVec3::ZERO, required;
        /// whether it is out of the way at the start, like an open door
        open: bool = false, optional;
    }
}

record! {
    /// Connected thin walls.
    PolylineFile "Polyline" {
        /// name for scripts and messages
        name: String = String::new(), optional;
        /// corners in m
        points: Vec<DVec3> = Vec::new(), required;
        /// whether it is out of the way at the start, like an open door
        open: bool = false, optional;
    }
}

record! {
    /// A solid area with holes; either winding.
    PolygonFile "Polygon" {
        /// name for scripts and messages
        name: String = String::new(), optional;
        /// corners in m
        points: Vec<DVec3> = Vec::new(), required;
        /// corners of each hole in m
        holes: Vec<Vec<DVec3>> = Vec::new(), optional;
        /// whether it is out of the way at the start, like an open door
        open: bool = false, optional;
    }
}

choice! {
    /// What stands in the way.
    ObstacleFile "obstacle" {
        /// A solid disc.
        Disc(DiscFile),
        /// A solid ball.
        Sphere(SphereFile),
        /// A solid box.
        Box(BoxFile),
        /// A wall.
        Wall(WallFile),
        /// Connected walls.
        Polyline(PolylineFile),
        /// A solid area.
        Polygon(PolygonFile),
    }
}

impl ObstacleFile {
    /// Its name; empty for an unnamed one.
    pub fn name(&self) -> &str {
        match self {
            Self::Disc(file) => &file.name,
            Self::Sphere(file) => &file.name,
            Self::Box(file) => &file.name,
            Self::Wall(file) => &file.name,
            Self::Polyline(file) => &file.name,
            Self::Polygon(file) => &file.name,
        }
    }

    /// Whether it is out of the way at the start.
    pub fn open(&self) -> bool {
        match self {
            Self::Disc(file) => file.open,
            Self::Sphere(file) => file.open,
            Self::Box(file) => file.open,
            Self::Wall(file) => file.open,
            Self::Polyline(file) => file.open,
            Self::Polygon(file) => file.open,
        }
    }

    /// Its shape as the core knows it, unchecked.
    pub fn shape(&self) -> Form {
        match self {
            Self::Disc(file) => Form::Disc { at: file.at, radius: file.radius },
            Self::Sphere(file) => Form::Sphere { at: file.at, radius: file.radius },
            Self::Box(file) => Form::Box { min: file.min, max: file.max },
            Self::Wall(file) => Form::Wall { from: file.from, to: file.to },
            Self::Polyline(file) => Form::Polyline { points: file.points.clone() },
            Self::Polygon(file) => Form::Polygon { points: file.points.clone(), holes: file.holes.clone() },
        }
    }

    /// The obstacle of a scene file for a shape, so that edits of the window can be saved.
    pub fn from_shape(name: &str, open: bool, shape: &Form) -> Self {
        let name = name.to_owned();
        match shape.clone() {
            Form::Disc { at, radius } => Self::Disc(DiscFile { name, at, radius, open }),
            Form::Sphere { at, radius } => Self::Sphere(SphereFile { name, at, radius, open }),
            Form::Box { min, max } => Self::Box(BoxFile { name, min, max, open }),
            Form::Wall { from, to } => Self::Wall(WallFile { name, from, to, open }),
            Form::Polyline { points } => Self::Polyline(PolylineFile { name, points, open }),
            Form::Polygon { points, holes } => Self::Polygon(PolygonFile { name, points, holes, open }),
        }
    }
}
