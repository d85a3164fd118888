//! Threads over agents: a fixed chunking, so that the number of threads never shows in a result.

use std::sync::{Arc, Mutex, PoisonError};

/// How many agents a worker takes at once. Part of no result: every agent is computed alone.
const CHUNK: usize = 256;

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
        use rayon::prelude::{IndexedParallelIterator as _, ParallelIterator as _, ParallelSliceMut as _};
        let run = |first: usize, rows: &mut [T], scratch: &mut S| {
            for (index, row) in rows.iter_mut().enumerate() {
                body(first + index, row, scratch);
            }
        };
        scratch.fit(self.threads());
        match &self.pool {
            Some(pool) if rows.len() > CHUNK => {
                let scratch = &*scratch;
                pool.install(|| {
                    rows.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, rows)| {
                        let own = rayon::current_thread_index().unwrap_or(0) % scratch.slots.len();
                        let mut own = scratch.slots[own].lock().unwrap_or_else(PoisonError::into_inner);
                        run(chunk * CHUNK, rows, &mut own);
                    });
                });
            }
            _ => run(0, rows, scratch.slots[0].get_mut().unwrap_or_else(PoisonError::into_inner)),
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
