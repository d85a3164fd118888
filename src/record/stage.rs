//! A scene in which a tape is played: its ground as walls, its agents in one group.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3};

use super::ground::Ground;
use super::tape::Tape;
use crate::scene::Spanned;
use crate::scene::file::{
    ActionFile, AreaFile, AtFile, CloseFile, GroupFile, GroupRecord, ObstacleFile, OpenFile, Role, SceneFile, TapeFile,
};
use crate::sim::obstacle::Shape;

/// The group of whoever walks on the tape.
pub const GROUP: &str = "people";
/// Room round the agents where there is no ground, m.
const MARGIN_M: f64 = 1.0;
/// Ticks per second that a scene may have.
const TICKS: (f64, f64) = (0.1, 10_000.0);

/// The scene for a tape; `file` is how the scene names the file, `title` what it is called.
pub fn scene(tape: &Tape, file: &str, title: &str) -> SceneFile {
    let (first, last) = tape.frames().unwrap_or_default();
    let people = tape.tracks.len();
    let (obstacles, schedule) = walls(tape, first);
    let bounds = tape.bounds().unwrap_or_default();
    let grounds = tape.grounds.iter().flat_map(|(_, parts)| parts).map(Ground::bounds);
    let seen = ((bounds.0.truncate() - MARGIN_M).floor(), (bounds.1.truncate() + MARGIN_M).ceil());
    let (low, high) = grounds.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or(seen);
    let tick_hz = tape.fps.clamp(TICKS.0, TICKS.1);
    SceneFile {
        title: title.to_owned(),
        about: format!("Replay of {file}: {people} agents, frames {first} to {last} at {} per second.", tape.fps),
        tick_hz,
        duration: ((last - first) as f64 / tape.fps).max(1.0 / tick_hz),
        area: Some(Spanned::new(AreaFile { min: low.extend(0.0), max: high.extend(0.0) })),
        obstacles,
        groups: vec![Spanned::new(GroupFile(GroupRecord {
            name: GROUP.into(),
            count: Some(Spanned::new(0)),
            ..GroupRecord::default()
        }))],
        tapes: vec![Spanned::new(TapeFile {
            name: GROUP.into(),
            file: file.into(),
            role: Spanned::new(Role::Replay),
            from: first as f64 / tape.fps,
            ..TapeFile::default()
        })],
        plots: vec![format!("{GROUP}.speed").as_str().into(), format!("{GROUP}.count").as_str().into()],
        schedule,
        ..SceneFile::default()
    }
}

/// A wall or a solid, by the bits of its corners.
type Key = Vec<(u64, u64)>;

/// Rims and holes of the grounds as obstacles. What is not there all the time opens and closes as the tape says.
fn walls(tape: &Tape, first: i64) -> (Vec<Spanned<ObstacleFile>>, Vec<AtFile>) {
    let mut order: Vec<(Shape, Vec<usize>)> = Vec::new();
    let mut known: BTreeMap<Key, usize> = BTreeMap::new();
    for (moment, (_, parts)) in tape.grounds.iter().enumerate() {
        let rims = parts.iter().map(|part| (true, &part.outer));
        let rings = rims.chain(parts.iter().flat_map(|part| &part.holes).map(|hole| (false, hole)));
        for (rim, ring) in rings {
            let key = ring.iter().map(|point| (point.x.to_bits(), point.y.to_bits())).collect();
            let index = *known.entry(key).or_insert_with(|| {
                order.push((shape_of(ring, rim), Vec::new()));
                order.len() - 1
            });
            order[index].1.push(moment);
        }
    }
    let mut obstacles = Vec::new();
    let mut schedule = Vec::new();
    for (index, (shape, moments)) in order.iter().enumerate() {
        let stands = |moment: usize| moments.contains(&moment);
        let name = format!("wall_{}", index + 1);
        obstacles.push(Spanned::new(ObstacleFile::from_shape(&name, !stands(0), shape)));
        for moment in (1..tape.grounds.len()).filter(|&moment| stands(moment) != stands(moment - 1)) {
            // A tick before: what the schedule does in a tick is there at its end, which is the next frame.
            let time = ((tape.grounds[moment].0 - first - 1) as f64 / tape.fps).max(0.0);
            let obstacle = name.as_str().into();
            let action = if stands(moment) {
                ActionFile::Close(CloseFile { obstacle })
            } else {
                ActionFile::Open(OpenFile { obstacle })
            };
            schedule.push(AtFile { time: Spanned::new(time), action });
        }
    }
    schedule.sort_by(|a, b| a.time.value.total_cmp(&b.time.value));
    (obstacles, schedule)
}

/// The rim of the ground is a wall; what stands in it is solid, where the core takes it as such.
fn shape_of(ring: &[DVec2], rim: bool) -> Shape {
    let points: Vec<DVec3> = ring.iter().map(|point| point.extend(0.0)).collect();
    let solid = Shape::Polygon { points: points.clone(), holes: Vec::new() };
    if !rim && solid.clone().checked("").is_ok() {
        return solid;
    }
    let closed = points.iter().copied().chain(points.first().copied());
    Shape::Polyline { points: closed.collect() }
}
