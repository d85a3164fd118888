//! The flocking rule as anybody would write it: agents as structures, nine cells (27 in space), the short way per pair.

use glam::DVec3;

#[derive(Clone, Copy)]
struct Agent {
    position: DVec3,
    way: DVec3,
}

#[derive(Default)]
struct Sums {
    count: f64,
    cohere: DVec3,
    apart: DVec3,
    ways: DVec3,
}

/// The program that the others are compared with.
pub(crate) struct Plain {
    agents: Vec<Agent>,
    next: Vec<Agent>,
    cells: Vec<Vec<u32>>,
    across: usize,
    layers: usize,
    extent: f64,
    vision: f64,
}

impl Plain {
    pub(crate) fn new(positions: &[DVec3], ways: &[DVec3], extent: f64, vision: f64, planar: bool) -> Self {
        let agents: Vec<_> =
            positions.iter().zip(ways).map(|(position, way)| Agent { position: *position, way: *way }).collect();
        let across = (extent / vision).floor() as usize;
        let layers = if planar { 1 } else { across };
        let cells = vec![Vec::new(); across * across * layers];
        Self { next: agents.clone(), agents, cells, across, layers, extent, vision }
    }

    fn cell(&self, x: f64) -> usize {
        ((x / self.extent * self.across as f64) as usize).min(self.across - 1)
    }

    pub(crate) fn step(&mut self) {
        self.cells.iter_mut().for_each(Vec::clear);
        for (index, agent) in self.agents.iter().enumerate() {
            let p = agent.position;
            let layer = if self.layers == 1 { 0 } else { self.cell(p.z) };
            let cell = (layer * self.across + self.cell(p.y)) * self.across + self.cell(p.x);
            self.cells[cell].push(index as u32);
        }
        for index in 0..self.agents.len() {
            self.next[index] = self.turned(index);
        }
        for agent in &mut self.next {
            agent.position = (agent.position + agent.way).map(|x| {
                if x >= self.extent {
                    x - self.extent
                } else if x < 0.0 {
                    x + self.extent
                } else {
                    x
                }
            });
        }
        std::mem::swap(&mut self.agents, &mut self.next);
    }

    fn turned(&self, me: usize) -> Agent {
        let own = self.agents[me];
        let p = own.position;
        let n = self.across;
        let mut sums = Sums::default();
        let (x, y) = (self.cell(p.x), self.cell(p.y));
        let flat = self.layers == 1;
        let z = if flat { 0 } else { self.cell(p.z) };
        for dz in if flat { 0..1 } else { 0..3 } {
            let layer = if flat { 0 } else { (z + dz + n - 1) % n };
            for dy in 0..3 {
                let row = (y + dy + n - 1) % n;
                for dx in 0..3 {
                    let column = (x + dx + n - 1) % n;
                    self.add_cell((layer * n + row) * n + column, me, &mut sums);
                }
            }
        }
        let share = 1.0 / f64::max(sums.count, 1.0);
        let way = own.way + (sums.cohere * 0.03 + sums.apart * 0.015 + sums.ways * 0.05) * share;
        Agent { position: p, way: way.normalize_or_zero() }
    }

    #[inline]
    fn add_cell(&self, cell: usize, me: usize, sums: &mut Sums) {
        let p = self.agents[me].position;
        for other in self.cells[cell].iter().filter(|other| **other as usize != me) {
            let other = &self.agents[*other as usize];
            let offset = (other.position - p).map(|d| self.short(d));
            let squared = offset.length_squared();
            if squared > self.vision * self.vision {
                continue;
            }
            sums.count += 1.0;
            sums.cohere += offset;
            sums.ways += other.way;
            if squared <= 1.0 {
                sums.apart -= offset;
            }
        }
    }

    fn short(&self, d: f64) -> f64 {
        if d > 0.5 * self.extent {
            d - self.extent
        } else if d < -0.5 * self.extent {
            d + self.extent
        } else {
            d
        }
    }

    /// Positions and velocities.
    pub(crate) fn state(&self) -> (Vec<DVec3>, Vec<DVec3>) {
        (self.agents.iter().map(|agent| agent.position).collect(), self.agents.iter().map(|agent| agent.way).collect())
    }
}
