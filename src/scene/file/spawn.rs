//! Where a group's agents stand at the start, as typed.

use glam::DVec3;

use crate::scene::decode::{Decoder, Fields, Limit, Shape, Spanned, choice, finite, record};
use crate::scene::ron::{Kind, Node};

/// One number, or a range `(from, to)` from which each agent draws its own.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Range {
    /// The lower end.
    pub from: f64,
    /// The upper end; equal to `from` for one number.
    pub to: f64,
}

impl Range {
    /// A range of one number.
    pub const fn only(value: f64) -> Self {
        Self { from: value, to: value }
    }
}

impl Shape for Range {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        match &node.kind {
            Kind::Number(_) => finite(node, decoder).map(Self::only),
            Kind::Tuple { name: None, items } if items.len() == 2 => {
                let ends = (finite(&items[0], decoder), finite(&items[1], decoder));
                let (Some(from), Some(to)) = ends else {
                    return None;
                };
                if from > to {
                    let message = format!("the range ({from}, {to}) is empty");
                    decoder.error(node.span, "out-of-range", message, Some(format!("write ({to}, {from})")));
                    return None;
                }
                Some(Self { from, to })
            }
            _ => {
                decoder.mismatch(node, "a number or a range `(from, to)`");
                None
            }
        }
    }
    fn encode(&self) -> Node {
        if self.from == self.to {
            return Node::number(self.from);
        }
        Node::tuple(vec![Node::number(self.from), Node::number(self.to)])
    }
}

record! {
    /// In rows: the first agent at `at`, the next to its right (+x), the next row above (+y).
    GridSpawn "Grid" {
        /// place of the first agent in m
        at: DVec3 = DVec3::ZERO, optional;
        /// agents in a row; as square as possible without it
        columns: Option<u32> = None, optional, Limit::Within(1.0, 1e6);
        /// distance of neighbors in m
        spacing: f64 = 1.0, optional, Limit::Positive;
        /// heading in degrees, or a range
        heading_deg: Range = Range::only(0.0), optional;
        /// speed along the heading at the start in m/s, or a range
        speed: Range = Range::only(0.0), optional;
        /// each agent is moved by up to this distance in m
        jitter: f64 = 0.0, optional, Limit::NotNegative;
    }
}

record! {
    /// Anywhere in a disc, without overlap.
    DiscSpawn "Disc" {
        /// center in m
        at: DVec3 = DVec3::ZERO, optional;
        /// radius in m
        radius: f64 = 1.0, required, Limit::Positive;
        /// heading in degrees, or a range
        heading_deg: Range = Range::only(0.0), optional;
        /// speed along the heading at the start in m/s, or a range
        speed: Range = Range::only(0.0), optional;
        /// each agent is moved by up to this distance in m
        jitter: f64 = 0.0, optional, Limit::NotNegative;
    }
}

record! {
    /// Evenly round a circle, the first to the right of its center, on counter-clockwise.
    RingSpawn "Ring" {
        /// center in m
        at: DVec3 = DVec3::ZERO, optional;
        /// radius in m
        radius: f64 = 1.0, required, Limit::Positive;
        /// heading in degrees, or a range
        heading_deg: Range = Range::only(0.0), optional;
        /// speed along the heading at the start in m/s, or a range
        speed: Range = Range::only(0.0), optional;
        /// each agent is moved by up to this distance in m
        jitter: f64 = 0.0, optional, Limit::NotNegative;
    }
}

record! {
    /// Anywhere in a box, without overlap; with height if the corners have different z.
    BoxSpawn "Box" {
        /// lower corner in m
        min: DVec3 = DVec3::ZERO, required;
        /// upper corner in m
        max: DVec3 = DVec3::ZERO, required;
        /// heading in degrees, or a range
        heading_deg: Range = Range::only(0.0), optional;
        /// speed along the heading at the start in m/s, or a range
        speed: Range = Range::only(0.0), optional;
        /// each agent is moved by up to this distance in m
        jitter: f64 = 0.0, optional, Limit::NotNegative;
    }
}

record! {
    /// At these points.
    PointsRecord "Points" {
        /// one place in m for each agent
        points: Vec<Spanned<DVec3>> = Vec::new(), required;
        /// heading in degrees, or a range
        heading_deg: Range = Range::only(0.0), optional;
        /// speed along the heading at the start in m/s, or a range
        speed: Range = Range::only(0.0), optional;
        /// each agent is moved by up to this distance in m
        jitter: f64 = 0.0, optional, Limit::NotNegative;
    }
}

/// `Points([(0, 0), (1, 0)])` or `Points(points: […], heading_deg: 90)`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PointsSpawn(pub PointsRecord);

impl Shape for PointsSpawn {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        let Kind::Tuple { items, .. } = &node.kind else {
            return PointsRecord::decode(node, decoder).map(Self);
        };
        let [points] = items.as_slice() else {
            decoder.mismatch(node, "`Points([(x, y), …])` or `Points(points: […], heading_deg: …)`");
            return None;
        };
        let points = Vec::decode(points, decoder)?;
        Some(Self(PointsRecord { points, ..PointsRecord::default() }))
    }
    fn encode(&self) -> Node {
        let plain = PointsRecord { points: self.0.points.clone(), ..PointsRecord::default() };
        if plain != self.0 {
            return self.0.encode();
        }
        Node::new(Kind::Tuple { name: Some("Points".to_owned()), items: vec![plain.points.encode()] })
    }
}

choice! {
    /// Where a group's agents stand at the start.
    SpawnFile "spawn" {
        /// In rows.
        Grid(GridSpawn),
        /// In a disc.
        Disc(DiscSpawn),
        /// Round a circle.
        Ring(RingSpawn),
        /// In a box.
        Box(BoxSpawn),
        /// At given points.
        Points(PointsSpawn),
    }
}

/// What all kinds of spawn have: heading in degrees, speed in m/s, jitter in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpawnCommon {
    /// Heading in degrees.
    pub heading_deg: Range,
    /// Speed along it in m/s.
    pub speed: Range,
    /// Largest displacement in m.
    pub jitter: f64,
}

impl Fields for SpawnFile {
    fn set_field(&mut self, name: &str, node: &Node, decoder: &mut Decoder<'_>) -> bool {
        match self {
            Self::Grid(spawn) => spawn.set_field(name, node, decoder),
            Self::Disc(spawn) => spawn.set_field(name, node, decoder),
            Self::Ring(spawn) => spawn.set_field(name, node, decoder),
            Self::Box(spawn) => spawn.set_field(name, node, decoder),
            Self::Points(spawn) => spawn.0.set_field(name, node, decoder),
        }
    }
}

impl SpawnFile {
    /// What all kinds have.
    pub fn common(&self) -> SpawnCommon {
        let (heading_deg, speed, jitter) = match self {
            Self::Grid(spawn) => (spawn.heading_deg, spawn.speed, spawn.jitter),
            Self::Disc(spawn) => (spawn.heading_deg, spawn.speed, spawn.jitter),
            Self::Ring(spawn) => (spawn.heading_deg, spawn.speed, spawn.jitter),
            Self::Box(spawn) => (spawn.heading_deg, spawn.speed, spawn.jitter),
            Self::Points(spawn) => (spawn.0.heading_deg, spawn.0.speed, spawn.0.jitter),
        };
        SpawnCommon { heading_deg, speed, jitter }
    }
}
