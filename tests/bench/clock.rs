//! CPU time of this process, in batches: the least, since whatever else the machine does only adds to it.

use cpu_time::ProcessTime;

/// Batches per measurement; the quickest counts.
const BATCHES: usize = 25;

/// Shortest batch that is long enough for the clock, s of CPU time.
const BATCH_SECS: f64 = 0.03;

/// CPU seconds of one call of `work`: the least over batches of as many calls as fill a batch. One batch warms up.
pub(crate) fn least_secs(mut work: impl FnMut()) -> f64 {
    let mut calls = 1_usize;
    loop {
        let secs = batch(calls, &mut work);
        if secs >= BATCH_SECS {
            break;
        }
        calls = (calls * 2).max((calls as f64 * BATCH_SECS / secs.max(1e-6)) as usize).min(calls * 100);
    }
    let times = (0..BATCHES).map(|_| batch(calls, &mut work) / calls as f64).collect();
    least(times)
}

/// The least of some numbers; infinite of none.
pub(crate) fn least(numbers: Vec<f64>) -> f64 {
    numbers.into_iter().fold(f64::INFINITY, f64::min)
}

fn batch(calls: usize, work: &mut impl FnMut()) -> f64 {
    let start = ProcessTime::now();
    for _ in 0..calls {
        work();
    }
    start.elapsed().as_secs_f64()
}
