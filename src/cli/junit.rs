//! Outcomes of cases as JUnit XML, the format that build servers read: a suite per case, a test per quantity.
//!
//! What is known to fail is `skipped` with its reason, as other test tools write it; strictly it is a failure.

use crate::experiment::validating::{Mark, Outcome, Quantity};

/// The whole file.
pub(super) fn junit(outcomes: &[Outcome], strict: bool) -> String {
    let counts: Vec<Counts> = outcomes.iter().map(|outcome| Counts::of(outcome, strict)).collect();
    let sum = |count: fn(&Counts) -> usize| counts.iter().map(count).sum::<usize>();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"swarmyard validate\" tests=\"{}\" failures=\"{}\" \
         errors=\"{}\" skipped=\"{}\" time=\"{:.3}\">\n",
        sum(|c| c.tests),
        sum(|c| c.failures),
        sum(|c| c.errors),
        sum(|c| c.skipped),
        outcomes.iter().map(|outcome| outcome.seconds).sum::<f64>()
    );
    for (outcome, counts) in outcomes.iter().zip(&counts) {
        suite(&mut xml, outcome, counts, strict);
    }
    xml.push_str("</testsuites>\n");
    xml
}

/// What the head of a suite says.
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

impl Counts {
    fn of(outcome: &Outcome, strict: bool) -> Self {
        let with = |mark: Mark| outcome.quantities.iter().filter(|quantity| quantity.mark() == mark).count();
        let errors = usize::from(!outcome.error.is_empty());
        let (known, failed) = (with(Mark::KnownToFail), with(Mark::Fails));
        let (failures, skipped) = if strict { (failed + known, 0) } else { (failed, known) };
        Self { tests: outcome.quantities.len() + errors, failures, errors, skipped }
    }
}

fn suite(xml: &mut String, outcome: &Outcome, counts: &Counts, strict: bool) {
    let name = escaped(outcome.name);
    line(
        xml,
        format_args!(
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\">",
            counts.tests, counts.failures, counts.errors, counts.skipped, outcome.seconds
        ),
    );
    line(xml, format_args!("    <properties>"));
    let properties = [
        ("about", outcome.about),
        ("source", outcome.source),
        ("seed", &outcome.seed),
        ("scene", outcome.scene),
        ("verdict", outcome.verdict.text()),
    ];
    for (key, value) in properties.into_iter().filter(|(_, value)| !value.is_empty()) {
        line(xml, format_args!("      <property name=\"{key}\" value=\"{}\"/>", escaped(value)));
    }
    line(xml, format_args!("    </properties>"));
    for quantity in &outcome.quantities {
        test(xml, &name, quantity, strict);
    }
    if !outcome.error.is_empty() {
        line(xml, format_args!("    <testcase classname=\"{name}\" name=\"runs\">"));
        line(xml, format_args!("      <error message=\"could not run\">{}</error>", escaped(&outcome.error)));
        line(xml, format_args!("    </testcase>"));
    }
    line(xml, format_args!("  </testsuite>"));
}

fn test(xml: &mut String, class: &str, quantity: &Quantity, strict: bool) {
    line(xml, format_args!("    <testcase classname=\"{class}\" name=\"{}\">", escaped(&quantity.what)));
    let says = escaped(&values(quantity));
    let known = quantity.known.unwrap_or_default();
    match quantity.mark() {
        Mark::Fails => line(xml, format_args!("      <failure message=\"{says}\"/>")),
        Mark::KnownToFail if strict => {
            line(xml, format_args!("      <failure message=\"{says}; known: {}\"/>", escaped(known)));
        }
        Mark::KnownToFail => {
            line(xml, format_args!("      <skipped message=\"known to fail: {}; {says}\"/>", escaped(known)));
        }
        Mark::HoldsNow => line(
            xml,
            format_args!(
                "      <system-out>{says}; it holds now, though it is known to fail: {}</system-out>",
                escaped(known)
            ),
        ),
        Mark::Holds | Mark::Shown => line(xml, format_args!("      <system-out>{says}</system-out>")),
    }
    line(xml, format_args!("    </testcase>"));
}

fn line(xml: &mut String, words: std::fmt::Arguments<'_>) {
    xml.extend([words.to_string().as_str(), "\n"]);
}

/// Expected and measured, in words.
fn values(quantity: &Quantity) -> String {
    let unit = if quantity.unit.is_empty() { String::new() } else { format!(" {}", quantity.unit) };
    let mut text = match quantity.ok {
        Some(_) => format!("expected {}{unit}, measured {}{unit}", quantity.expected, quantity.measured),
        None => format!("measured {}{unit}", quantity.measured),
    };
    if !quantity.text.is_empty() {
        text.extend([" (the text says ", quantity.text, ")"]);
    }
    text
}

/// Text for an attribute or between tags; what XML 1.0 cannot hold at all becomes `?`.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&apos;"),
            '\n' => safe.push_str("&#10;"),
            '\t' => safe.push_str("&#9;"),
            '\r' => safe.push_str("&#13;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => safe.push('?'),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::validating::{Bound, Verdict};

    fn outcome() -> Outcome {
        let row = |what: &str, ok, known| Quantity {
            what: what.to_owned(),
            unit: "m/s",
            text: "\"a\" & <b>",
            expected: Bound::AtMost(1.0),
            measured: 2.5,
            ok,
            known,
        };
        Outcome {
            name: "door<1>",
            about: "it's",
            source: "R&D",
            seed: "1 to 3".to_owned(),
            scene: "scenes/a.ron",
            seconds: 1.25,
            quantities: vec![
                row("fails\u{1}", Some(false), None),
                row("known", Some(false), Some("it > that")),
                row("holds", Some(true), None),
                row("now", Some(true), Some("once")),
                row("shown", None, None),
            ],
            error: String::new(),
            verdict: Verdict::Fails,
            ok: false,
        }
    }

    #[test]
    fn what_xml_reserves_is_escaped_and_nothing_is_left_out() {
        let xml = junit(&[outcome()], false);
        let head =
            "<testsuite name=\"door&lt;1&gt;\" tests=\"5\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"1.250\">";
        assert!(xml.contains(head), "{xml}");
        assert!(xml.contains("<property name=\"seed\" value=\"1 to 3\"/>"), "{xml}");
        assert!(
            xml.contains("expected ≤ 1 m/s, measured 2.5 m/s (the text says &quot;a&quot; &amp; &lt;b&gt;)"),
            "{xml}"
        );
        assert!(xml.contains("name=\"fails?\"") && xml.contains("known to fail: it &gt; that; expected"), "{xml}");
        assert!(xml.contains("it&apos;s") && xml.contains("R&amp;D"), "{xml}");
        assert_eq!(xml.matches("<testcase ").count(), 5);
        assert_eq!(xml.matches("<system-out>").count(), 3);
    }

    #[test]
    fn strictly_a_known_failure_is_a_failure() {
        let xml = junit(&[outcome()], true);
        assert!(xml.contains("failures=\"2\" errors=\"0\" skipped=\"0\""), "{xml}");
        assert_eq!(xml.matches("<failure ").count(), 2);
    }

    #[test]
    fn a_case_that_could_not_run_is_an_error() {
        let broken = Outcome { quantities: Vec::new(), error: "no scene\nthere".to_owned(), ..outcome() };
        let xml = junit(&[broken], false);
        assert!(xml.contains("tests=\"1\" failures=\"0\" errors=\"1\""), "{xml}");
        assert!(xml.contains("no scene&#10;there</error>"), "{xml}");
    }
}
