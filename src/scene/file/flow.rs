//! Flows as typed: sources where agents enter, stops that they visit, exits where they leave, and the journey of a group.

use glam::DVec3;

use super::Range;
use crate::flow::Spread;
use crate::scene::decode::{Decoder, Limit, Shape, Spanned, Table, choice, finite, record, words};
use crate::scene::ron::{Kind, Node};

words!(Spread, "spread", [Regular, Poisson]);

record! {
    /// A rectangle along the axes.
    BoxArea "Box" positional true {
        /// lower corner in m
        min: DVec3 = DVec3::ZERO, required;
        /// upper corner in m
        max: DVec3 = DVec3::ZERO, required;
    }
}

record! {
    /// A disc.
    DiscArea "Disc" positional true {
        /// center in m
        at: DVec3 = DVec3::ZERO, required;
        /// radius in m
        radius: f64 = 1.0, required, Limit::Positive;
    }
}

record! {
    /// An area with corners.
    PolygonArea "Polygon" positional true {
        /// corners in m
        points: Vec<DVec3> = Vec::new(), required;
    }
}

record! {
    /// A straight line, such as a door.
    LineArea "Line" positional true {
        /// one end in m
        from: DVec3 = DVec3::ZERO, required;
        /// the other end in m
        to: DVec3 = DVec3::ZERO, required;
    }
}

choice! {
    /// A place with an extent.
    PlaceFile "place" {
        /// A rectangle.
        Box(BoxArea),
        /// A disc.
        Disc(DiscArea),
        /// An area with corners.
        Polygon(PolygonArea),
        /// A line.
        Line(LineArea),
    }
}

/// From a time on (s) so many per second: `(20, 1.5)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateAt {
    /// s.
    pub time: f64,
    /// Persons per second.
    pub rate: f64,
}

impl Shape for RateAt {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        let Kind::Tuple { name: None, items } = &node.kind else {
            decoder.mismatch(node, "`(seconds, agents per second)`");
            return None;
        };
        let [time, rate] = items.as_slice() else {
            decoder.mismatch(node, "`(seconds, agents per second)`");
            return None;
        };
        let read = |what: &str, node: &Node, decoder: &mut Decoder<'_>| {
            let value = finite(node, decoder)?;
            if value < 0.0 {
                let message = format!("the {what} is {value}; it must not be negative");
                decoder.error(node.span, "out-of-range", message, None);
                return None;
            }
            Some(value)
        };
        let (time, rate) = (read("time", time, decoder), read("rate", rate, decoder));
        let (Some(time), Some(rate)) = (time, rate) else { return None };
        Some(Self { time, rate })
    }
    fn encode(&self) -> Node {
        Node::tuple(vec![Node::number(self.time), Node::number(self.rate)])
    }
}

record! {
    /// Where agents of a group enter. Who finds no room waits until there is some.
    SourceFile "Source" {
        /// its name: letters, digits, `_`
        name: Spanned<String> = Spanned::default(), required;
        /// the group that they join
        group: Spanned<String> = Spanned::default(), required;
        /// where they appear: `Box`, `Disc`, `Polygon` or `Line`
        area: Option<Spanned<PlaceFile>> = None, required;
        /// agents per second
        rate: f64 = 0.0, optional, Limit::Within(0.0, 10_000.0);
        /// `Regular` or `Poisson`: at equal distances of time, or at random with the same mean
        spread: Spread = Spread::Regular, optional;
        /// from when on, in s
        from: f64 = 0.0, optional, Limit::NotNegative;
        /// until when, in s; to the end without it
        to: Option<Spanned<f64>> = None, optional;
        /// other rates from other times on, ascending, such as a train: `[(20, 8), (25, 0)]`
        schedule: Vec<Spanned<RateAt>> = Vec::new(), optional;
        /// how many in all at most
        most: Option<u32> = None, optional;
        /// how many enter at a time; the rate stays
        batch: u32 = 1, optional, Limit::Within(1.0, 10_000.0);
        /// where they look, in degrees; towards their first stop, else their goal, without it
        heading_deg: Option<f64> = None, optional;
        /// how fast they are when they enter, in m/s
        speed: f64 = 0.0, optional, Limit::Within(0.0, 100.0);
        /// whether anybody may enter at the start; `Open` and `Close` change it
        open: bool = true, optional;
    }
}

record! {
    /// A point that one passes.
    WaypointFile "Waypoint" {
        /// its name
        name: Spanned<String> = Spanned::default(), required;
        /// where, in m
        at: DVec3 = DVec3::ZERO, required;
        /// it is reached within this, in m; each agent aims at its own point within half of it
        distance: f64 = 1.0, optional, Limit::Positive;
    }
}

record! {
    /// A place where people stand and wait.
    WaitingFile "Waiting" {
        /// its name
        name: Spanned<String> = Spanned::default(), required;
        /// where they stand, in m, given out in this order
        spots: Vec<DVec3> = Vec::new(), optional;
        /// instead of spots: the area in which they stand, each at a free place by lot
        area: Option<Spanned<PlaceFile>> = None, optional;
        /// distance of the places in an area, in m
        spacing: f64 = 0.8, optional, Limit::Within(0.05, 100.0);
        /// how long each stays, in s, or a range from which it is drawn; until it is opened without it
        stay: Option<Range> = None, optional;
        /// whether anybody may leave; without it true where there is a `stay`
        open: Option<bool> = None, optional;
    }
}

record! {
    /// A line of people: the head is served, then everybody moves up.
    QueueFile "Queue" {
        /// its name
        name: Spanned<String> = Spanned::default(), required;
        /// from the head on, in m; who finds no room on it stands behind, straight on
        points: Vec<DVec3> = Vec::new(), required;
        /// from one to the next, in m
        spacing: f64 = 0.7, optional, Limit::Within(0.05, 100.0);
        /// how long the head is served, in s, or a range from which it is drawn
        service: Range = Range::only(0.0), optional;
        /// how many may stand in it or be on their way to it
        most: Option<u32> = None, optional, Limit::Within(1.0, 1e6);
        /// whether anybody is served
        open: bool = true, optional;
    }
}

record! {
    /// Where agents leave the world, and are counted.
    ExitFile "Exit" {
        /// its name
        name: Spanned<String> = Spanned::default(), required;
        /// they leave when they touch it: `Line`, `Box`, `Disc` or `Polygon`
        area: Option<Spanned<PlaceFile>> = None, required;
        /// the groups that may leave here without a journey; all without it
        groups: Vec<Spanned<String>> = Vec::new(), optional;
        /// the most per second, as a gate lets through
        rate: Option<f64> = None, optional, Limit::Positive;
        /// whether anybody is let through
        open: bool = true, optional;
    }
}

choice! {
    /// A stop of journeys.
    StopFile "stop" {
        /// One passes it.
        Waypoint(WaypointFile),
        /// One waits there.
        Waiting(WaitingFile),
        /// One is served there.
        Queue(QueueFile),
        /// One leaves there.
        Exit(ExitFile),
    }
}

impl StopFile {
    /// Its name.
    pub fn name(&self) -> &Spanned<String> {
        match self {
            Self::Waypoint(stop) => &stop.name,
            Self::Waiting(stop) => &stop.name,
            Self::Queue(stop) => &stop.name,
            Self::Exit(stop) => &stop.name,
        }
    }
}

record! {
    /// So many of these stops, in an order of each agent's own: a shopping list.
    ShuffleFile "Shuffle" positional true {
        /// how many
        count: Spanned<u32> = Spanned::new(1), required;
        /// of which stops
        stops: Vec<Spanned<String>> = Vec::new(), required;
    }
}

record! {
    /// The nearest of these stops when it is their turn, in a straight line.
    NearestFile "Nearest" positional true {
        /// of which stops
        stops: Vec<Spanned<String>> = Vec::new(), required;
    }
}

record! {
    /// That of these stops at which the agent expects to be done first, walk and wait together; looked at again every second.
    LeastCrowdedFile "LeastCrowded" positional true {
        /// of which stops
        stops: Vec<Spanned<String>> = Vec::new(), required;
    }
}

record! {
    /// One of these stops by lot, each with its weight.
    SharesFile "Shares" positional true {
        /// weights by name: `{"left": 2, "right": 1}`
        stops: Table<f64> = Table::default(), required;
    }
}

/// One entry of a journey: the name of a stop, or a choice of some.
#[derive(Debug, Clone, PartialEq)]
pub enum LegFile {
    /// A stop.
    Stop(Spanned<String>),
    /// Some of a list.
    Shuffle(ShuffleFile),
    /// The nearest.
    Nearest(NearestFile),
    /// Where it goes fastest.
    LeastCrowded(LeastCrowdedFile),
    /// By lot.
    Shares(SharesFile),
}

impl Shape for LegFile {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        const NAMES: [&str; 4] = ["Shuffle", "Nearest", "LeastCrowded", "Shares"];
        if let Kind::Text(name) = &node.kind {
            return Some(Self::Stop(Spanned { value: name.clone(), span: node.span }));
        }
        match node.name() {
            Some("Shuffle") => ShuffleFile::decode(node, decoder).map(Self::Shuffle),
            Some("Nearest") => NearestFile::decode(node, decoder).map(Self::Nearest),
            Some("LeastCrowded") => LeastCrowdedFile::decode(node, decoder).map(Self::LeastCrowded),
            Some("Shares") => SharesFile::decode(node, decoder).map(Self::Shares),
            Some(word) => {
                decoder.unknown_word(node.span, "part of a journey", word, &NAMES);
                None
            }
            None => {
                decoder.mismatch(node, "the name of a stop in quotes, or `Shuffle(3, […])`, `Nearest([…])`, …");
                None
            }
        }
    }
    fn encode(&self) -> Node {
        match self {
            Self::Stop(name) => name.encode(),
            Self::Shuffle(file) => file.encode(),
            Self::Nearest(file) => file.encode(),
            Self::LeastCrowded(file) => file.encode(),
            Self::Shares(file) => file.encode(),
        }
    }
}
