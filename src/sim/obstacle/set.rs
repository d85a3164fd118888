//! The set of obstacles: ids, names, and every change that can happen to them.

use std::collections::BTreeSet;

use glam::{DVec2, DVec3};
use rstar::RTree;

use super::check::position;
use super::error::ObstacleError;
use super::near::Edge;
use super::shape::Shape;
use super::tree::{CHUNK, Chunk, Entry, Part, padded};

/// Handle of an obstacle: a slot and how often the slot was used before. Ordered by slot, then generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ObstacleId {
    /// Place in the set.
    pub slot: u32,
    /// Life of that place, from 0.
    pub generation: u32,
}

impl ObstacleId {
    /// The id as one number for scripts and reports: `slot + 1 + generation / 1e6`, so 0 is nobody.
    pub fn number(self) -> f64 {
        f64::from(self.slot) + 1.0 + f64::from(self.generation) / 1e6
    }
}

/// One obstacle as the set stores it.
#[derive(Debug, Clone, PartialEq)]
pub struct Obstacle {
    /// Its handle.
    pub id: ObstacleId,
    /// Its name; empty for an unnamed one, otherwise nobody else's.
    pub name: String,
    /// Its shape in stored form.
    pub shape: Shape,
    /// An open obstacle (a door) blocks nothing and no query finds it.
    pub open: bool,
}

/// An obstacle with its edges ready for queries.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    /// What others see.
    pub(super) obstacle: Obstacle,
    /// Edges of walls, polylines and polygons.
    pub(super) edges: Vec<Edge>,
    /// The edges in chunks, each one entry of the tree.
    pub(super) chunks: Vec<Chunk>,
}

#[derive(Debug, Clone, Default)]
struct Slot {
    generation: u32,
    stored: Option<Stored>,
}

/// All obstacles of a world, with their tree.
#[derive(Debug, Clone, Default)]
pub struct Obstacles {
    slots: Vec<Slot>,
    free: BTreeSet<u32>,
    pub(super) tree: RTree<Entry>,
    version: u64,
}

impl Obstacles {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many obstacles there are, open ones included.
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no query can find anything: no obstacle, or all open.
    pub fn blocks_nothing(&self) -> bool {
        self.tree.size() == 0
    }

    /// Grows with every change; who caches something compares it.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// All obstacles in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Obstacle> {
        self.stored().map(|stored| &stored.obstacle)
    }

    /// The obstacle with this id, if it still lives.
    pub fn get(&self, id: ObstacleId) -> Option<&Obstacle> {
        self.find(id).map(|stored| &stored.obstacle)
    }

    /// The obstacle with this name; the empty name finds nothing.
    pub fn by_name(&self, name: &str) -> Option<ObstacleId> {
        if name.is_empty() {
            return None;
        }
        self.iter().find(|obstacle| obstacle.name == name).map(|obstacle| obstacle.id)
    }

    /// `stem`, or the first of `stem_2`, `stem_3`, … that nobody has.
    pub fn free_name(&self, stem: &str) -> String {
        if self.by_name(stem).is_none() {
            return stem.to_owned();
        }
        let numbered = (2..).map(|number: usize| format!("{stem}_{number}"));
        numbered.into_iter().find(|name| self.by_name(name).is_none()).unwrap_or_default()
    }

    /// Lowest and highest corner of an obstacle, for drawing.
    pub fn bounds(&self, id: ObstacleId) -> Option<(DVec3, DVec3)> {
        self.get(id).map(|obstacle| obstacle.shape.bounds())
    }

    /// Adds a closed obstacle. A name that another one has is refused; the empty name is free for all.
    pub fn insert(&mut self, name: &str, shape: Shape) -> Result<ObstacleId, ObstacleError> {
        let shape = shape.checked(name)?;
        self.refuse_taken(name, None)?;
        let slot = self.free.pop_first().unwrap_or(self.slots.len() as u32);
        if slot as usize == self.slots.len() {
            self.slots.push(Slot::default());
        }
        let id = ObstacleId { slot, generation: self.slots[slot as usize].generation };
        let stored = Stored::new(Obstacle { id, name: name.to_owned(), shape, open: false });
        self.put(stored);
        Ok(id)
    }

    /// Moves an obstacle so that its anchor (`Shape::anchor`: center of disc, sphere and box, middle of a wall,
    /// centroid of the others) lies at `to`.
    pub fn move_to(&mut self, id: ObstacleId, to: DVec3) -> Result<(), ObstacleError> {
        let obstacle = &self.known(id)?.obstacle;
        position(label(obstacle), "at", to)?;
        let shape = obstacle.shape.shifted(to - obstacle.shape.anchor());
        self.replace(id, shape)
    }

    /// Gives an obstacle another shape; id, name and whether it is open stay.
    pub fn replace(&mut self, id: ObstacleId, shape: Shape) -> Result<(), ObstacleError> {
        let shape = shape.checked(&self.known(id)?.obstacle.name)?;
        if let Some(old) = self.take(id) {
            self.put(Stored::new(Obstacle { shape, ..old.obstacle }));
        }
        Ok(())
    }

    /// Removes an obstacle and returns it, or nothing when it is gone already.
    pub fn remove(&mut self, id: ObstacleId) -> Option<Obstacle> {
        let old = self.take(id)?;
        self.slots[id.slot as usize].generation = id.generation.wrapping_add(1);
        self.free.insert(id.slot);
        Some(old.obstacle)
    }

    /// Opens a door: it blocks nothing until it is closed.
    pub fn open(&mut self, id: ObstacleId) -> Result<(), ObstacleError> {
        self.set_open(id, true)
    }

    /// Closes a door.
    pub fn close(&mut self, id: ObstacleId) -> Result<(), ObstacleError> {
        self.set_open(id, false)
    }

    /// Opens or closes an obstacle.
    pub fn set_open(&mut self, id: ObstacleId, open: bool) -> Result<(), ObstacleError> {
        let same = self.known(id)?.obstacle.open == open;
        if same {
            return Ok(());
        }
        if let Some(mut stored) = self.take(id) {
            stored.obstacle.open = open;
            self.put(stored);
        }
        Ok(())
    }

    /// Gives an obstacle another name.
    pub fn rename(&mut self, id: ObstacleId, name: &str) -> Result<(), ObstacleError> {
        self.known(id)?;
        self.refuse_taken(name, Some(id))?;
        if let Some(stored) = self.slots[id.slot as usize].stored.as_mut() {
            name.clone_into(&mut stored.obstacle.name);
            self.version += 1;
        }
        Ok(())
    }

    /// Packs the tree anew. Answers stay the same, they come faster after many single changes.
    pub fn repack(&mut self) {
        let entries = self.stored().filter(|stored| !stored.obstacle.open).flat_map(Stored::entries).collect();
        self.tree = RTree::bulk_load(entries);
    }

    /// The stored form behind a live id.
    pub(super) fn find(&self, id: ObstacleId) -> Option<&Stored> {
        let slot = self.slots.get(id.slot as usize)?;
        slot.stored.as_ref().filter(|_| slot.generation == id.generation)
    }

    fn stored(&self) -> impl Iterator<Item = &Stored> {
        self.slots.iter().filter_map(|slot| slot.stored.as_ref())
    }

    fn known(&self, id: ObstacleId) -> Result<&Stored, ObstacleError> {
        self.find(id).ok_or_else(|| {
            let object = format!("number {}", id.number());
            ObstacleError::new(&object, "id", "names no living obstacle", "it was removed; ask for it by name")
        })
    }

    fn refuse_taken(&self, name: &str, except: Option<ObstacleId>) -> Result<(), ObstacleError> {
        match self.by_name(name) {
            Some(owner) if Some(owner) != except => {
                let hint = format!("choose another name, for example \"{}\"", self.free_name(name));
                Err(ObstacleError::new(name, "name", "is the name of another obstacle", hint))
            }
            _ => Ok(()),
        }
    }

    /// Puts an obstacle into its slot and, unless open, into the tree.
    fn put(&mut self, stored: Stored) {
        if !stored.obstacle.open {
            for entry in stored.entries() {
                self.tree.insert(entry);
            }
        }
        let slot = stored.obstacle.id.slot as usize;
        self.slots[slot].stored = Some(stored);
        self.version += 1;
    }

    /// Takes an obstacle out of the tree and its slot; the slot stays reserved.
    fn take(&mut self, id: ObstacleId) -> Option<Stored> {
        self.find(id)?;
        let stored = self.slots[id.slot as usize].stored.take()?;
        if !stored.obstacle.open {
            for entry in stored.entries() {
                self.tree.remove(&entry);
            }
        }
        self.version += 1;
        Some(stored)
    }
}

impl Stored {
    fn new(obstacle: Obstacle) -> Self {
        let edges = Edge::of(&obstacle.shape);
        let mut chunks = Vec::with_capacity(edges.len().div_ceil(CHUNK));
        for (index, edge) in edges.iter().enumerate() {
            // A chunk ends where a ring ends, so that no box spans two rings.
            let joined = index % CHUNK != 0 && edges[index - 1].to == edge.from;
            let (low, high) = (edge.from.min(edge.to), edge.from.max(edge.to));
            match chunks.last_mut() {
                Some(chunk @ Chunk { .. }) if joined => {
                    *chunk = Chunk {
                        first: chunk.first,
                        end: index + 1,
                        low: chunk.low.min(low),
                        high: chunk.high.max(high),
                    };
                }
                _ => chunks.push(Chunk { first: index, end: index + 1, low, high }),
            }
        }
        Self { obstacle, edges, chunks }
    }

    /// What the tree holds of this obstacle.
    fn entries(&self) -> Vec<Entry> {
        let id = self.obstacle.id;
        let (low, high) = self.obstacle.shape.bounds();
        let whole = |part| Entry { flat: padded(low.truncate(), high.truncate()), id, part };
        let chunk = |(index, chunk): (usize, &Chunk)| Entry {
            flat: padded(chunk.low, chunk.high),
            id,
            part: Part::Edges(index),
        };
        match &self.obstacle.shape {
            Shape::Disc { at, radius } => vec![whole(Part::Disc { at: at.truncate(), radius: *radius })],
            Shape::Sphere { at, radius } => vec![whole(Part::Ball { at: *at, radius: *radius })],
            Shape::Box { min, max } => {
                let axes = if self.obstacle.shape.is_planar() { 2 } else { 3 };
                vec![whole(Part::Box { min: *min, max: *max, axes })]
            }
            Shape::Wall { .. } | Shape::Polyline { .. } => self.chunks.iter().enumerate().map(chunk).collect(),
            Shape::Polygon { .. } => {
                let mut entries: Vec<_> = self.chunks.iter().enumerate().map(chunk).collect();
                entries.push(whole(Part::Region));
                entries
            }
        }
    }

    /// The elementary parts.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part> {
        self.entries().into_iter().map(|entry| entry.part)
    }

    /// The edges of one chunk.
    pub(super) fn chunk(&self, index: usize) -> &[Edge] {
        self.chunks.get(index).map_or(&[], |chunk| &self.edges[chunk.first..chunk.end])
    }

    /// Whether a polygon has `at` inside or on its rim.
    pub(super) fn encloses(&self, at: DVec2) -> bool {
        let mut turns = 0;
        for chunk in &self.chunks {
            if at.y < chunk.low.y || at.y > chunk.high.y || at.x > chunk.high.x {
                continue;
            }
            for edge in &self.edges[chunk.first..chunk.end] {
                let Some(more) = edge.turns(at) else {
                    return true;
                };
                turns += more;
            }
        }
        turns > 0
    }
}

/// Name for messages.
fn label(obstacle: &Obstacle) -> &str {
    if obstacle.name.is_empty() { obstacle.shape.kind() } else { &obstacle.name }
}
