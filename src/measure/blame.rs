//! Who breaks a term of a contract, and since when.

use super::contract::{ContractSpec, Term};

/// What one agent adds to the terms of a contract: errors without sign.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PlaceErrors {
    /// The agent, by its position in the view that was measured.
    pub agent: u32,
    /// Its place.
    pub place: u32,
    /// The larger error of the gaps to its neighbors, meters.
    pub spacing: f64,
    /// Distance off the track, meters.
    pub cross_track: f64,
    /// Distance ahead or behind, meters.
    pub along_track: f64,
    /// Heading error, radians.
    pub heading: f64,
}

/// The terms that are single agents' doing.
const OF_AGENTS: [Term; 4] = [Term::Spacing, Term::CrossTrack, Term::AlongTrack, Term::Heading];

impl PlaceErrors {
    /// The error that counts for a term; none where the term is about the group as a whole.
    pub fn of(&self, term: Term) -> Option<f64> {
        match term {
            Term::Spacing => Some(self.spacing),
            Term::CrossTrack => Some(self.cross_track),
            Term::AlongTrack => Some(self.along_track),
            Term::Heading => Some(self.heading),
            Term::HeadingSd | Term::Aligned | Term::Settle => None,
        }
    }
}

/// An agent that breaks a term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blame {
    /// The agent, by its position in the view that was measured.
    pub agent: u32,
    /// Its error, in the unit of the term.
    pub value: f64,
    /// The first tick of this breach.
    pub since: u64,
}

/// Remembers by place who breaks what since when.
#[derive(Debug, Clone, Default)]
pub struct Blames {
    since: [Vec<Option<u64>>; OF_AGENTS.len()],
    rows: Vec<PlaceErrors>,
}

impl Blames {
    /// Another order: everybody starts anew.
    pub fn clear(&mut self) {
        for places in &mut self.since {
            places.clear();
        }
        self.rows.clear();
    }

    /// Hears the errors at the end of a tick.
    pub fn observe(&mut self, tick: u64, spec: &ContractSpec, rows: &[PlaceErrors]) {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        let places = rows.iter().map(|row| row.place as usize + 1).max().unwrap_or(0);
        for (term, since) in OF_AGENTS.into_iter().zip(&mut self.since) {
            let Some(limit) = spec.limit(term) else { continue };
            since.resize(places, None);
            for row in rows {
                let at = &mut since[row.place as usize];
                let broken = row.of(term).is_some_and(|error| error > limit || error.is_nan());
                *at = if broken { Some(at.unwrap_or(tick)) } else { None };
            }
        }
    }

    /// Who breaks a term now, worst first.
    pub fn of(&self, term: Term) -> Vec<Blame> {
        let Some(index) = OF_AGENTS.iter().position(|known| *known == term) else { return Vec::new() };
        let since = &self.since[index];
        let blame = |row: &PlaceErrors| {
            let since = since.get(row.place as usize).copied().flatten()?;
            Some(Blame { agent: row.agent, value: row.of(term)?, since })
        };
        let mut found: Vec<Blame> = self.rows.iter().filter_map(blame).collect();
        found.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.agent.cmp(&b.agent)));
        found
    }
}
