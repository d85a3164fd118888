//! The reader of RON: everything that the crate `ron` writes, and where it all stands.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Serialize;
use swarmyard::scene::ron::{Kind, Node, Number, read_text, to_text};

fn root(text: &str) -> Node {
    let document = read_text("x.ron", text);
    assert_eq!(document.problems, Vec::new(), "{text}");
    document.root
}

fn number(text: &str) -> f64 {
    match root(text).kind {
        Kind::Number(Number { value, .. }) => value,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn numbers_are_read_in_every_spelling() {
    assert_eq!(number("12"), 12.0);
    assert_eq!(number("-3.5e-2"), -0.035);
    assert_eq!(number("+.5"), 0.5);
    assert_eq!(number("1."), 1.0);
    assert_eq!(number("1_000.5"), 1000.5);
    assert_eq!(number("0xff"), 255.0);
    assert_eq!(number("0b1011"), 11.0);
    assert_eq!(number("-0o17"), -15.0);
    assert_eq!(number("7u8"), 7.0);
    assert_eq!(number("2.5f64"), 2.5);
    assert_eq!(number("-inf"), f64::NEG_INFINITY);
    assert!(number("NaN").is_nan());
    let Kind::Number(seed) = root("18446744073709551615").kind else { panic!("a number") };
    assert_eq!(seed.integer, Some(i128::from(u64::MAX)), "a seed keeps all its digits");
}

#[test]
fn strings_comments_and_extensions_are_read() {
    let text = "#![enable(implicit_some)]\n// a\n/* b /* nested */ */ (a: \"x\\n\\u{e9}\\\"\", b: r#\"raw \"q\" \\n\"#, c: 'z', d: Some(()),)";
    let root = root(text);
    assert_eq!(root.field("a").map(|node| &node.kind), Some(&Kind::Text("x\né\"".to_owned())));
    assert_eq!(root.field("b").map(|node| &node.kind), Some(&Kind::Text("raw \"q\" \\n".to_owned())));
    assert_eq!(root.field("c").map(|node| &node.kind), Some(&Kind::Char('z')));
    assert!(matches!(root.field("d").map(|node| &node.kind), Some(Kind::Option(Some(_)))));
}

#[test]
fn a_value_knows_where_it_stands() {
    let root = root("(\n  a: 1,\n  é: [2, \"x\"],\n)");
    let Some(Node { kind: Kind::List(items), .. }) = root.field("é") else { panic!("a list") };
    let places: Vec<_> = items.iter().map(|item| (item.span.line, item.span.column)).collect();
    assert_eq!(places, [(3, 7), (3, 10)]);
}

#[test]
fn the_first_comment_lines_are_kept() {
    let document = read_text("x", "// Look for: this.\n//\n// Try: that.\n\n(a: 1)");
    assert_eq!(document.notes, "Look for: this.\n\nTry: that.");
    assert_eq!(to_text(&document.notes, &document.root), "// Look for: this.\n//\n// Try: that.\n(a: 1)\n");
}

/// Every construct that serde knows.
#[derive(Debug, Clone, Serialize)]
enum Tree {
    Unit,
    Number(f64),
    Whole(i64),
    Text(String),
    Letter(char),
    Flag(bool),
    Maybe(Option<Box<Self>>),
    List(Vec<Self>),
    Pair(Box<Self>, Box<Self>),
    Record { first: Box<Self>, r#type: Vec<u8> },
    Map(BTreeMap<String, Self>),
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        Just(Tree::Unit),
        any::<f64>().prop_map(Tree::Number),
        any::<i64>().prop_map(Tree::Whole),
        any::<String>().prop_map(Tree::Text),
        any::<char>().prop_map(Tree::Letter),
        any::<bool>().prop_map(Tree::Flag),
        Just(Tree::Maybe(None)),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            boxed.clone().prop_map(|tree| Tree::Maybe(Some(tree))),
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Tree::List),
            (boxed.clone(), boxed.clone()).prop_map(|(a, b)| Tree::Pair(a, b)),
            (boxed, any::<Vec<u8>>()).prop_map(|(first, r#type)| Tree::Record { first, r#type }),
            proptest::collection::btree_map(any::<String>(), inner, 0..4).prop_map(Tree::Map),
        ]
    })
}

/// The tree without its places.
fn bare(mut node: Node) -> Node {
    node.span = Default::default();
    match &mut node.kind {
        Kind::List(items) | Kind::Tuple { items, .. } => {
            for item in items {
                *item = bare(std::mem::replace(item, Node::new(Kind::Unit)));
            }
        }
        Kind::Struct { fields, .. } => {
            for field in fields {
                field.span = Default::default();
                field.value = bare(field.value.clone());
            }
        }
        Kind::Map(entries) => *entries = entries.iter().map(|(k, v)| (bare(k.clone()), bare(v.clone()))).collect(),
        Kind::Option(Some(item)) => **item = bare((**item).clone()),
        _ => {}
    }
    node
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_the_crate_ron_writes_is_read(tree in tree()) {
        let plain = ron::ser::to_string(&tree).expect("it writes all of serde");
        let document = read_text("x", &plain);
        prop_assert!(document.problems.is_empty(), "{plain}: {:?}", document.problems);
        let config = ron::ser::PrettyConfig::new().struct_names(true);
        let pretty = ron::ser::to_string_pretty(&tree, config).expect("it writes all of serde");
        let document = read_text("x", &pretty);
        prop_assert!(document.problems.is_empty(), "{pretty}: {:?}", document.problems);
    }

    #[test]
    fn what_is_written_reads_back_equal(tree in tree()) {
        let plain = ron::ser::to_string(&tree).expect("it writes all of serde");
        let first = bare(read_text("x", &plain).root);
        let written = to_text("", &first);
        let document = read_text("x", &written);
        prop_assert!(document.problems.is_empty(), "{written}: {:?}", document.problems);
        // Through text once more, because NaN differs from itself.
        prop_assert_eq!(to_text("", &document.root), written);
        prop_assert!(ron::from_str::<ron::Value>(&to_text("", &first)).is_ok() || !readable_by_crate(&first));
    }
}

/// `ron::Value` has no names of its own for enum variants with fields, so only plain trees are compared.
fn readable_by_crate(node: &Node) -> bool {
    matches!(node.kind, Kind::Number(_) | Kind::Text(_) | Kind::Bool(_) | Kind::List(_))
}
