//! Broken, cut and scrambled scripts: the loader answers with problems, never with a panic or an endless wait.

use std::path::Path;

use proptest::prelude::*;
use swarmyard::script::project::scan;
use swarmyard::script::text::{lexer, lint, outline};

use crate::support::open;

/// Texts that people wrote, to be damaged.
fn written() -> Vec<String> {
    let scan = scan(Path::new(env!("CARGO_MANIFEST_DIR")));
    scan.sources.files.values().map(|source| source.text.to_string()).collect()
}

/// A damage: where, how much is cut, and what comes in its place.
fn damage() -> impl Strategy<Value = Vec<(usize, usize, String)>> {
    let word = prop_oneof![
        Just(String::new()),
        Just("nil".to_owned()),
        Just("{".to_owned()),
        Just("}".to_owned()),
        Just("end".to_owned()),
        Just("= 1/0".to_owned()),
        Just("function".to_owned()),
        Just("[[".to_owned()),
        Just("0/0".to_owned()),
        Just("\"p.x\"".to_owned()),
        "[ -~]{0,6}",
        "\\PC{0,3}",
    ];
    prop::collection::vec((0_usize..100_000, 0_usize..40, word), 1..5)
}

fn damaged(text: &str, damages: &[(usize, usize, String)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (at, cut, insert) in damages {
        let at = at % (chars.len() + 1);
        let end = (at + cut).min(chars.len());
        chars.splice(at..end, insert.chars());
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_scripts_give_problems_or_load(which in 0_usize..100, damages in damage()) {
        let texts = written();
        let text = damaged(&texts[which % texts.len()], &damages);
        let host = open(&[("scripts/behaviors/x.luau", &text), ("scripts/lib/coupling.luau", "return { pull = math.sin }")]);
        let library = host.library();
        prop_assert!(!host.problems().is_empty() || library.items.len() == 1);
        for problem in host.problems() {
            prop_assert!(!problem.message.is_empty());
        }
    }

    #[test]
    fn any_text_can_be_looked_at(text in "\\PC{0,200}") {
        lexer::tokens(&text);
        outline::outline(&text);
        lint::file_level_changes(&text);
        let wrapped = format!("return yard.machine {{ {text} }}");
        outline::outline(&wrapped);
    }

    #[test]
    fn any_heap_of_words_can_be_looked_at(words in prop::collection::vec(
        prop::sample::select(vec!["if", "then", "else", "end", "function", "(", ")", "{", "}", "[", "]", "local", "x", "=", ",", "for", "in", "do", "repeat", "until", ":", "::", ".", "return", "yard.machine {", "\n", "--", "[[", "]]", "'", "`"]),
        0..120,
    )) {
        let text = words.join(" ");
        lexer::tokens(&text);
        outline::outline(&text);
        lint::file_level_changes(&text);
    }
}

#[test]
fn a_megabyte_of_garbage_on_one_line_is_refused() {
    // Larger files are refused by their size before anyone reads them.
    let garbage: String =
        (0..1 << 20).map(|at: u32| char::from(33 + (at.wrapping_mul(2_654_435_761) >> 24) as u8 % 90)).collect();
    let host = open(&[("scripts/behaviors/x.luau", &garbage)]);
    assert!(!host.problems().is_empty());
}
