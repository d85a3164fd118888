//! Series and statistics: bounded, ordered, and no peak is ever lost.

use swarmyard::measure::{Series, Stats};

/// A wave with rare one-tick spikes.
fn value(tick: u64) -> f64 {
    let wave = (tick as f64 * 1e-4).sin();
    if tick % 99_991 == 17 { wave + 5.0 } else { wave }
}

#[test]
fn a_million_ticks_stay_in_bounds_and_keep_every_peak() {
    let mut series = Series::default();
    let n = 1_000_000_u64;
    for tick in 0..n {
        assert!(series.push(tick, Some(value(tick))));
        assert!(series.buckets().len() <= 4096);
    }
    let spikes: Vec<u64> = (0..n).filter(|tick| tick % 99_991 == 17).collect();
    for &spike in &spikes {
        let bucket = series.at(spike).expect("a bucket for each tick");
        assert_eq!((bucket.max, bucket.max_at), (value(spike), spike));
    }
    let exact: Vec<f64> = (0..n).map(value).collect();
    assert_eq!(series.stats().max(), exact.iter().copied().reduce(f64::max));
    assert_eq!(series.stats().min(), exact.iter().copied().reduce(f64::min));
    assert_eq!(series.stats().last(), exact.last().copied());
    let mean = exact.iter().sum::<f64>() / n as f64;
    assert!(series.stats().mean().is_some_and(|is| (is - mean).abs() < 1e-9));
    for columns in [1, 2, 7, 100, 800, 1920, 10_000] {
        let mut view = Vec::new();
        series.view(0, n - 1, columns, &mut view);
        assert!(!view.is_empty() && view.len() <= columns);
        let most = view.iter().map(|column| column.max).fold(f64::MIN, f64::max);
        assert_eq!(Some(most), series.stats().max(), "{columns} columns");
        for &spike in &spikes {
            let shown =
                view.iter().any(|column| column.from <= spike && spike <= column.to && column.max >= value(spike));
            assert!(shown, "the spike at {spike} is hidden in {columns} columns");
        }
    }
}

#[test]
fn buckets_are_in_unbroken_order() {
    let mut series = Series::new(64);
    for tick in 0..10_007 {
        series.push(tick * 3, Some(tick as f64));
        let buckets = series.buckets();
        assert!(buckets.windows(2).all(|pair| pair[0].to < pair[1].from));
        let held: u32 = buckets.iter().map(|bucket| bucket.count + bucket.gaps).sum();
        assert_eq!(u64::from(held), tick + 1, "every push is in one bucket");
    }
    assert_eq!(series.ticks(), Some((0, 3 * 10_006)));
    assert!(series.buckets().len() > 32, "at least half of the memory is used");
}

#[test]
fn gaps_are_gaps_and_hide_nothing() {
    let mut series = Series::new(8);
    for tick in 0..100 {
        let value = if (20..60).contains(&tick) { None } else { Some(tick as f64) };
        series.push(tick, value);
    }
    series.push(100, Some(f64::NAN));
    assert_eq!(series.stats().count(), 60);
    assert_eq!((series.stats().max(), series.stats().min()), (Some(99.0), Some(0.0)));
    assert_eq!(series.stats().last(), None);
    assert!(series.buckets().iter().any(|bucket| bucket.is_gap() && bucket.mean().is_none()));
    let mut view = Vec::new();
    series.view(0, 100, 8, &mut view);
    assert!(
        view.iter().filter(|column| !column.is_gap()).all(|column| column.min.is_finite() && column.max.is_finite())
    );
    assert_eq!(view.iter().filter(|column| !column.is_gap()).map(|column| column.max).fold(0.0, f64::max), 99.0);
}

#[test]
fn a_window_shows_its_own_part() {
    let mut series = Series::default();
    for tick in 0..1000 {
        series.push(tick, Some(tick as f64));
    }
    let mut view = Vec::new();
    series.view(100, 199, 10, &mut view);
    assert_eq!(view.len(), 10);
    assert_eq!((view[0].min, view[0].max, view[9].max), (100.0, 109.0, 199.0));
    assert!(view.windows(2).all(|pair| pair[0].to < pair[1].from));
    series.view(100, 103, 1000, &mut view);
    assert_eq!(view.len(), 4, "no more columns than values");
    series.view(5, 4, 10, &mut view);
    assert!(view.is_empty());
    series.view(5000, 6000, 10, &mut view);
    assert!(view.is_empty());
    series.view(0, u64::MAX, 3, &mut view);
    assert_eq!(view.iter().map(|column| column.count).sum::<u32>(), 1000);
}

#[test]
fn time_does_not_run_backward() {
    let mut series = Series::default();
    assert!(series.push(5, Some(1.0)));
    assert!(!series.push(5, Some(9.0)));
    assert!(!series.push(4, Some(9.0)));
    assert_eq!(series.stats().max(), Some(1.0));
    series.clear();
    assert!(series.push(0, Some(2.0)));
    assert_eq!((series.ticks(), series.stats().count()), (Some((0, 0)), 1));
    assert!(series.at(0).is_some());
}

#[test]
fn empty_series_and_statistics_have_nothing() {
    let series = Series::new(0);
    assert_eq!((series.ticks(), series.at(3).is_none()), (None, true));
    let mut view = vec![];
    series.view(0, 10, 5, &mut view);
    assert!(view.is_empty());
    let stats = Stats::default();
    assert_eq!((stats.last(), stats.mean(), stats.min(), stats.max()), (None, None, None, None));
}

#[test]
fn the_mean_of_millions_is_not_rounded_away() {
    let mut stats = Stats::default();
    stats.push(Some(1e16));
    for _ in 0..1_000_000 {
        stats.push(Some(1.0));
    }
    stats.push(Some(-1e16));
    let mean = stats.mean().expect("values");
    assert!((mean - 1_000_000.0 / 1_000_002.0).abs() < 1e-9, "{mean}");
}
