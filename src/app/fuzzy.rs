//! Finds entries by a few of their letters.

/// Score of a match and the matched characters (indices into the characters of `text`); none if a letter is missing.
///
/// Letters must come in order. Beginnings of words and letters in a row count more, late beginnings and long texts less.
pub fn score(pattern: &str, text: &str) -> Option<(i32, Vec<usize>)> {
    let wanted: Vec<char> = pattern.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    if wanted.is_empty() {
        return Some((0, Vec::new()));
    }
    let letters: Vec<char> = text.chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect();
    let starts: Vec<usize> = (0..letters.len()).filter(|&i| letters[i] == wanted[0]).collect();
    starts.into_iter().filter_map(|start| match_from(&wanted, &letters, start)).max_by_key(|(points, _)| *points)
}

fn match_from(wanted: &[char], letters: &[char], start: usize) -> Option<(i32, Vec<usize>)> {
    let mut hits = Vec::with_capacity(wanted.len());
    let mut points = -(start.min(20) as i32) - (letters.len() as i32) / 8;
    let mut next = start;
    for &want in wanted {
        let hit = (next..letters.len()).find(|&i| letters[i] == want)?;
        let word_start = hit == 0 || !letters[hit - 1].is_alphanumeric();
        let in_a_row = hits.last().is_some_and(|&last: &usize| last + 1 == hit);
        points += 4 + if word_start { 8 } else { 0 } + if in_a_row { 6 } else { 0 };
        hits.push(hit);
        next = hit + 1;
    }
    Some((points, hits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_in_order_match_and_others_do_not() {
        assert!(score("rst", "Reset").is_some());
        assert!(score("tsr", "Reset").is_none());
        assert_eq!(score("", "anything").map(|s| s.0), Some(0));
    }

    #[test]
    fn beginnings_of_words_win() {
        let (good, hits) = score("rl", "Reset layout").expect("both letters are there");
        let (poor, _) = score("rl", "Clearly").map_or((i32::MIN, Vec::new()), |s| s);
        assert!(good > poor);
        assert_eq!(hits, [0, 6]);
    }
}
