//! "Did you mean …?": the nearest known name.

/// The candidate nearest to `word`, or `None` when all are too far to be a slip of the fingers.
///
/// Near is: equal but for case, `-` and `_`; or at most one edit (Damerau–Levenshtein) per three letters; or a clear beginning of it.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = folded(word);
    if wanted.is_empty() {
        return None;
    }
    candidates
        .into_iter()
        .filter_map(|candidate| Some((distance(&wanted, &folded(candidate))?, candidate)))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// The candidates nearest to `word`, best first, at most `limit`; without the rule that they must be near.
pub fn nearest_few<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let wanted = folded(word);
    let mut ranked: Vec<_> =
        candidates.into_iter().map(|name| (strsim::damerau_levenshtein(&wanted, &folded(name)), name)).collect();
    ranked.sort_unstable();
    ranked.dedup();
    ranked.into_iter().take(limit).map(|(_, name)| name).collect()
}

/// "did you mean `x`?" if there is a near one, else "known are: …" with at most eight names, `None` without any.
pub fn suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> Option<String> {
    if let Some(name) = nearest(word, candidates.clone()) {
        return Some(format!("did you mean `{name}`?"));
    }
    let names: Vec<_> = candidates.into_iter().collect();
    if names.is_empty() {
        return None;
    }
    let few: Vec<_> = if names.len() <= 12 { names.clone() } else { nearest_few(word, names.iter().copied(), 8) };
    let list = few.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let start = if few.len() == names.len() { "known are" } else { "known are for instance" };
    Some(format!("{start} {list}"))
}

/// Small letters without `-`, `_` and blanks.
fn folded(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).take(80).collect()
}

/// Edits between two folded words, `None` when too many.
fn distance(wanted: &str, candidate: &str) -> Option<usize> {
    let edits = strsim::damerau_levenshtein(wanted, candidate);
    let longest = wanted.chars().count().max(candidate.chars().count());
    let shortest = wanted.chars().count().min(candidate.chars().count());
    if edits == 0 || edits * 3 <= longest && longest > 2 {
        return Some(edits);
    }
    if edits == 1 && shortest == 2 && wanted.chars().next() == candidate.chars().next() {
        return Some(edits); // `k1` for `k2`
    }
    let beginning = candidate.starts_with(wanted) || wanted.starts_with(candidate);
    (beginning && shortest >= 3).then_some(edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["radius", "max_speed", "max_acceleration", "lag", "dead_time"];
        assert_eq!(nearest("radus", names), Some("radius"));
        assert_eq!(nearest("MaxSpeed", names), Some("max_speed"));
        assert_eq!(nearest("deadtime", names), Some("dead_time"));
        assert_eq!(nearest("max_accel", names), Some("max_acceleration"));
        assert_eq!(nearest("color", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(suggestion("velocty", ["velocity"]).as_deref(), Some("did you mean `velocity`?"));
        assert_eq!(suggestion("zzz", names).map(|s| s.contains("`lag`")), Some(true));
    }
}
