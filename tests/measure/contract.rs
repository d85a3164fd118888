//! Contracts of formations: debounce, settling per command, limits.

use swarmyard::measure::{
    Aligned, Blames, ContractJudge, ContractSpec, Metric, MetricSet, PlaceErrors, Term, TermValues,
};

const DT: f64 = 1.0 / 60.0;

fn spec() -> ContractSpec {
    ContractSpec {
        spacing: Some(0.05),
        cross_track: Some(0.05),
        heading: Some(3_f64.to_radians()),
        settle: Some(1.2),
        ..ContractSpec::default()
    }
}

fn values(spacing: f64) -> TermValues {
    TermValues { agents: 20, values: [Some(spacing), Some(0.0), Some(0.0), Some(0.0), Some(0.0), Some(0.0)] }
}

/// Hears ticks `from..to` with this spacing error.
fn hear(judge: &mut ContractJudge, ticks: std::ops::Range<u64>, spacing: f64) {
    for tick in ticks {
        judge.observe(tick, &values(spacing));
    }
}

fn near(is: Option<f64>, ought: f64) {
    assert!(is.is_some_and(|is| (is - ought).abs() < 1e-9), "{is:?} instead of {ought}");
}

#[test]
fn settles_at_the_first_tick_from_which_all_terms_hold() {
    let mut judge = ContractJudge::new(spec(), DT);
    judge.command(0, "form line", 0.3, 2.4);
    hear(&mut judge, 0..31, 0.2);
    hear(&mut judge, 31..200, 0.01);
    let report = judge.report();
    assert_eq!(report.settled_at, Some(31));
    near(report.settles[0].took, 31.0 * DT);
    near(report.settles[0].limit, 1.2);
    assert!(report.ok);
    let names: Vec<&str> = report.terms.iter().map(|term| term.term.name()).collect();
    assert_eq!(names, ["spacing", "cross_track", "heading", "heading_sd", "settle"]);
    assert_eq!(report.terms.iter().map(|term| term.unit).collect::<Vec<_>>(), ["m", "m", "rad", "rad", "s"]);
}

#[test]
fn four_good_ticks_are_not_settled_and_five_are() {
    let mut judge = ContractJudge::new(spec(), DT);
    judge.command(10, "form line", 0.0, 2.4);
    hear(&mut judge, 11..20, 1.0);
    hear(&mut judge, 20..24, 0.0);
    assert_eq!(judge.report().settled_at, None);
    assert!(!judge.report().ok, "holds now, but has not settled");
    hear(&mut judge, 24..25, 0.0);
    assert_eq!(judge.report().settled_at, Some(20));
}

#[test]
fn one_bad_tick_starts_it_anew() {
    let mut judge = ContractJudge::new(spec(), DT);
    judge.command(0, "form line", 0.0, 2.4);
    hear(&mut judge, 0..50, 0.0);
    assert_eq!(judge.report().settled_at, Some(1));
    hear(&mut judge, 50..51, 0.06);
    assert_eq!(judge.report().settled_at, None);
    hear(&mut judge, 51..100, 0.0);
    assert_eq!(judge.report().settled_at, Some(51));
    hear(&mut judge, 100..102, 0.06);
    let report = judge.report();
    assert_eq!((report.settled_at, report.ok), (None, false));
    near(report.terms[0].value, 0.06);
}

#[test]
fn each_command_is_judged_on_its_own() {
    let mut judge = ContractJudge::new(spec(), DT);
    judge.command(0, "form line", 0.0, 2.4);
    hear(&mut judge, 0..300, 0.0);
    judge.command(300, "form s_wave", 5.3, 2.4);
    hear(&mut judge, 300..390, 0.5);
    hear(&mut judge, 390..900, 0.0);
    let report = judge.report();
    assert_eq!(report.settles.len(), 2);
    assert_eq!((report.settles[0].settled_at, report.settles[1].settled_at), (Some(1), Some(390)));
    near(report.settles[1].took, 1.5);
    near(report.settles[1].limit, 1.2 + 4.8 / 2.4);
    assert!(report.ok);
    let settle = report.terms.iter().find(|term| term.term == Term::Settle).expect("a settle term");
    near(settle.value, 1.5);
    near(Some(settle.limit), 3.2);
}

#[test]
fn too_late_is_a_breach_even_if_all_holds_at_the_end() {
    let mut judge = ContractJudge::new(spec(), DT);
    judge.command(0, "form line", 0.2, 2.4);
    hear(&mut judge, 0..73, 0.2);
    hear(&mut judge, 73..200, 0.0);
    let report = judge.report();
    assert!(report.terms[..4].iter().all(|term| term.ok) && !report.ok);
    let mut just = ContractJudge::new(spec(), DT);
    just.command(0, "form line", 0.2, 2.4);
    hear(&mut just, 0..72, 0.2);
    hear(&mut just, 72..200, 0.0);
    assert!(just.report().ok, "72 ticks are 1.2 s");
}

#[test]
fn a_command_that_comes_too_soon_excuses_the_one_before() {
    let mut judge = ContractJudge::new(spec(), DT);
    judge.command(0, "form line", 0.0, 2.4);
    hear(&mut judge, 0..30, 0.5);
    judge.command(30, "form v", 0.0, 2.4);
    hear(&mut judge, 30..200, 0.0);
    let report = judge.report();
    assert!(report.settles[0].superseded && report.settles[0].settled_at.is_none());
    assert!(report.ok);
    // One that had its time and never settled is a breach for good.
    let mut late = ContractJudge::new(spec(), DT);
    late.command(0, "form line", 0.0, 2.4);
    hear(&mut late, 0..100, 0.5);
    late.command(100, "form v", 0.0, 2.4);
    hear(&mut late, 100..200, 0.0);
    assert!(!late.report().ok);
}

#[test]
fn values_of_the_tick_of_the_command_are_not_after_it() {
    let mut judge = ContractJudge::new(spec(), DT);
    judge.command(7, "form line", 0.0, 2.4);
    hear(&mut judge, 7..12, 0.0);
    assert_eq!(judge.report().settled_at, None, "ticks 8 to 11 are four");
    hear(&mut judge, 12..13, 0.0);
    assert_eq!(judge.report().settled_at, Some(8));
}

#[test]
fn what_cannot_be_measured_holds_only_where_there_is_nothing() {
    let hear_once = |agents: usize, values: [Option<f64>; 6]| {
        let mut judge = ContractJudge::new(spec(), DT);
        judge.observe(1, &TermValues { agents, values });
        judge.holds_now()
    };
    assert!(hear_once(0, [None; 6]));
    assert!(hear_once(1, [None, Some(0.0), Some(0.0), Some(0.0), Some(0.0), None]));
    assert!(!hear_once(2, [None, Some(0.0), Some(0.0), Some(0.0), Some(0.0), None]));
    assert!(!hear_once(1, [None; 6]), "an agent without a place keeps no contract");
    assert!(!hear_once(3, [Some(f64::NAN), Some(0.0), Some(0.0), Some(0.0), Some(0.0), None]));
}

#[test]
fn terms_that_are_not_in_the_contract_are_not_judged() {
    let only = ContractSpec { cross_track: Some(0.1), ..ContractSpec::default() };
    let mut judge = ContractJudge::new(only, DT);
    judge.observe(1, &TermValues { agents: 5, values: [Some(9.0), Some(0.05), None, None, None, None] });
    let report = judge.report();
    assert_eq!(report.terms.len(), 1);
    assert!(report.ok && report.settles.is_empty());
    assert_eq!(only.metrics(), MetricSet::EMPTY.with(Metric::CrossTrackMax));
    assert_eq!(spec().metrics().iter().count(), 4);
}

#[test]
fn new_limits_are_judged_from_now_on() {
    let mut judge = ContractJudge::new(spec(), DT);
    judge.command(0, "form line", 0.0, 2.4);
    hear(&mut judge, 0..20, 0.03);
    assert_eq!(judge.report().settled_at, Some(1));
    judge.set_spec(ContractSpec { spacing: Some(0.02), ..spec() });
    hear(&mut judge, 20..30, 0.03);
    assert_eq!(judge.report().settled_at, None);
}

#[test]
fn a_million_commands_stay_bounded_and_the_worst_is_kept() {
    let mut judge = ContractJudge::new(spec(), DT);
    for round in 0..20_000_u64 {
        let at = round * 10;
        judge.command(at, "form line", 0.0, 2.4);
        let late = if round == 3 { 4 } else { 1 };
        hear(&mut judge, at..at + late, 0.5);
        hear(&mut judge, at + late..at + 10, 0.0);
    }
    let report = judge.report();
    assert!(report.settles.len() <= 4096);
    near(report.terms[4].value, 4.0 * DT);
}

#[test]
fn a_term_that_broke_holds_again_only_below_its_lower_threshold() {
    let mut enter = [None; Term::COUNT];
    enter[0] = Some(0.03);
    let mut judge = ContractJudge::new(ContractSpec { enter, ..spec() }, DT);
    let mut ok = |tick: u64, spacing: f64| {
        judge.observe(tick, &values(spacing));
        judge.report().terms[0].ok
    };
    // What it was before anything was heard is not known: the limit decides.
    assert!(ok(1, 0.04));
    assert!(!ok(2, 0.06));
    assert!(!ok(3, 0.04), "between the thresholds it stays as it was");
    assert!(ok(4, 0.029));
    assert!(ok(5, 0.049));
    let report = judge.report();
    assert_eq!((report.terms[0].limit, report.terms[0].enter), (0.05, 0.03));
    assert_eq!(report.terms[1].enter, 0.05, "a term without a lower threshold has one");
}

#[test]
fn a_verdict_changes_after_five_ticks_and_says_since_when() {
    let mut judge = ContractJudge::new(spec(), DT);
    hear(&mut judge, 1..11, 0.0);
    hear(&mut judge, 11..15, 0.2);
    let term = judge.report().terms[0];
    assert_eq!((term.ok, term.steady, term.since), (false, true, Some(1)), "four ticks are a flicker");
    hear(&mut judge, 15..16, 0.2);
    let term = judge.report().terms[0];
    assert_eq!((term.ok, term.steady, term.since), (false, false, Some(11)));
    hear(&mut judge, 16..40, 0.0);
    assert_eq!(judge.report().terms[0].since, Some(16));
}

#[test]
fn the_report_knows_who_breaks_a_term_and_since_when() {
    let row = |agent: u32, cross_track: f64| PlaceErrors { agent, place: agent, cross_track, ..PlaceErrors::default() };
    let mut blames = Blames::default();
    blames.observe(10, &spec(), &[row(0, 0.0), row(1, 0.06), row(2, 0.0)]);
    blames.observe(11, &spec(), &[row(0, 0.0), row(1, 0.07), row(2, 0.2)]);
    let found = blames.of(Term::CrossTrack);
    assert_eq!(found.iter().map(|blame| (blame.agent, blame.since)).collect::<Vec<_>>(), [(2, 11), (1, 10)]);
    assert!(blames.of(Term::Spacing).is_empty() && blames.of(Term::HeadingSd).is_empty());
    blames.observe(12, &spec(), &[row(0, 0.0), row(1, 0.0), row(2, 0.2)]);
    assert_eq!(blames.of(Term::CrossTrack).len(), 1);
    blames.clear();
    assert!(blames.of(Term::CrossTrack).is_empty(), "a new command starts anew");
}

#[test]
fn aligned_is_judged_by_the_definition_that_was_chosen() {
    for (aligned, metric) in [
        (Aligned::Distance, Metric::SlotError),
        (Aligned::Projection, Metric::Projection),
        (Aligned::Hull, Metric::Hull),
    ] {
        let spec = ContractSpec { aligned_by: aligned, aligned: Some(0.1), ..ContractSpec::default() };
        assert_eq!(spec.metrics(), MetricSet::EMPTY.with(metric));
        assert_eq!(spec.unit(Term::Aligned), metric.info().unit);
        let mut judge = ContractJudge::new(spec, DT);
        let mut values = TermValues { agents: 3, ..TermValues::default() };
        values.values[5] = Some(0.2);
        judge.observe(1, &values);
        assert!(!judge.report().ok);
    }
}

/// F29: noise of ±1 cm round the limit; with a lower threshold the steady verdict changes less than every other second.
#[test]
fn f29_noise_about_the_limit_does_not_make_the_verdict_chatter() {
    let mut enter = [None; Term::COUNT];
    enter[0] = Some(0.03);
    let mut judge = ContractJudge::new(ContractSpec { enter, ..spec() }, DT);
    let mut luck = swarmyard::sim::Stream::new(5, 0, 0, swarmyard::sim::rng::Use::Sensor);
    let (mut changes, mut last) = (0, None);
    for tick in 1..=60 * 60 {
        judge.observe(tick, &values(0.05 + luck.uniform(-0.01, 0.01)));
        let steady = judge.report().terms[0].steady;
        changes += u32::from(last.is_some_and(|last| last != steady));
        last = Some(steady);
    }
    assert!(changes <= 30, "{changes} changes in a minute");
}
