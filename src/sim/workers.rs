//! Threads over agents: a fixed chunking, so that the number of threads never shows in a result.

use std::sync::{Arc, Mutex, PoisonError};

/// How many agents a worker takes at once. Part of no result: every agent is computed alone.
const CHUNK: usize = 256;

/// The smallest piece of work that is worth handing to another thread, in agents whose work is short.
const PIECE: usize = 1024;

/// The threads a run may use. One thread needs no pool.
#[derive(Clone, Default)]
pub struct Workers {
    pool: Option<Arc<rayon::ThreadPool>>,
}

impl std::fmt::Debug for Workers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workers").field("threads", &self.threads()).finish()
    }
}

impl Workers {
    /// Workers of `threads` threads; a pool that the system refuses is replaced by the calling thread.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        if threads <= 1 {
            return Self::default();
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("agents-{index}"))
            .build()
            .ok()
            .map(Arc::new);
        Self { pool }
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    /// Calls `body(index, row, scratch)` for every row of `rows`, on all threads. Each thread works with a scratch of its own
    /// that is kept from tick to tick, so a warm tick allocates nothing.
    pub fn for_each<T: Send, S: Send + Default>(
        &self,
        rows: &mut [T],
        scratch: &mut Scratch<S>,
        body: impl Fn(usize, &mut T, &mut S) + Sync + Send,
    ) {
        self.for_each_chunk(rows, scratch, |first, rows, scratch| {
            for (index, row) in rows.iter_mut().enumerate() {
                body(first + index, row, scratch);
            }
        });
    }

    /// As [`Self::for_each`], with many rows at a time: `body` gets the index of the first.
    pub fn for_each_chunk<T: Send, S: Send + Default>(
        &self,
        rows: &mut [T],
        scratch: &mut Scratch<S>,
        body: impl Fn(usize, &mut [T], &mut S) + Sync + Send,
    ) {
        use rayon::prelude::{IndexedParallelIterator as _, ParallelIterator as _, ParallelSliceMut as _};
        scratch.fit(self.threads());
        match &self.pool {
            Some(pool) if rows.len() > CHUNK => {
                let scratch = &*scratch;
                pool.install(|| {
                    rows.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, rows)| {
                        let own = rayon::current_thread_index().unwrap_or(0) % scratch.slots.len();
                        let mut own = scratch.slots[own].lock().unwrap_or_else(PoisonError::into_inner);
                        body(chunk * CHUNK, rows, &mut own);
                    });
                });
            }
            _ => body(0, rows, scratch.slots[0].get_mut().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// Calls `body` on pieces of `work`, on all threads; `work` stands for `len` agents in a row, and `split` cuts it at one.
    /// Allocates nothing.
    pub fn halve<T: Send>(
        &self,
        work: T,
        len: usize,
        split: impl Fn(T, usize) -> (T, T) + Sync,
        body: impl Fn(T) + Sync,
    ) {
        match &self.pool {
            Some(pool) if len > PIECE => pool.install(|| halve(work, len, &split, &body)),
            _ => body(work),
        }
    }

    /// As [`Self::for_each`], with `width` further values per row out of `others` (as many rows there; none when `width` is 0).
    pub fn for_each_pair<T: Send, U: Send, S: Send + Default>(
        &self,
        rows: &mut [T],
        others: &mut [U],
        width: usize,
        scratch: &mut Scratch<S>,
        body: impl Fn(usize, &mut T, &mut [U], &mut S) + Sync + Send,
    ) {
        use rayon::prelude::{IndexedParallelIterator as _, ParallelIterator as _, ParallelSliceMut as _};
        if width == 0 {
            return self.for_each(rows, scratch, |index, row, scratch| body(index, row, &mut [], scratch));
        }
        let run = |first: usize, rows: &mut [T], others: &mut [U], scratch: &mut S| {
            for (index, (row, other)) in rows.iter_mut().zip(others.chunks_exact_mut(width)).enumerate() {
                body(first + index, row, other, scratch);
            }
        };
        scratch.fit(self.threads());
        match &self.pool {
            Some(pool) if rows.len() > CHUNK => {
                let scratch = &*scratch;
                pool.install(|| {
                    rows.par_chunks_mut(CHUNK).zip(others.par_chunks_mut(CHUNK * width)).enumerate().for_each(
                        |(chunk, (rows, others))| {
                            let own = rayon::current_thread_index().unwrap_or(0) % scratch.slots.len();
                            let mut own = scratch.slots[own].lock().unwrap_or_else(PoisonError::into_inner);
                            run(chunk * CHUNK, rows, others, &mut own);
                        },
                    );
                });
            }
            _ => run(0, rows, others, scratch.slots[0].get_mut().unwrap_or_else(PoisonError::into_inner)),
        }
    }
}

fn halve<T: Send>(work: T, len: usize, split: &(impl Fn(T, usize) -> (T, T) + Sync), body: &(impl Fn(T) + Sync)) {
    if len <= PIECE {
        return body(work);
    }
    let half = (len / 2).next_multiple_of(PIECE);
    let (low, high) = split(work, half);
    rayon::join(|| halve(low, half, split, body), || halve(high, len - half, split, body));
}

/// Buffers that threads reuse from tick to tick; their content never shows in a result.
#[derive(Debug, Default)]
pub struct Scratch<S> {
    slots: Vec<Mutex<S>>,
}

impl<S: Default> Scratch<S> {
    fn fit(&mut self, threads: usize) {
        while self.slots.len() < threads.max(1) {
            self.slots.push(Mutex::default());
        }
    }
}

impl<S: Default> Clone for Scratch<S> {
    /// A clone starts with empty buffers.
    fn clone(&self) -> Self {
        Self::default()
    }
}
