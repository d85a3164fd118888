//! Plain text tables: columns as wide as their widest cell, numbers to the right.

/// A table that grows by rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Adds a row.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// How many rows it has.
    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The text, each line after `indent`.
    pub(super) fn text(&self, indent: &str) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = indent.to_owned();
            for (cell, width) in row.iter().zip(&widths) {
                let gap = " ".repeat(width - cell.chars().count());
                let right = cell.starts_with(|c: char| c.is_ascii_digit() || c == '-');
                line.extend(if right { [&gap, cell, "  "] } else { [cell, &gap, "  "] });
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// A number with four significant digits, or a dash.
pub(super) fn number(value: Option<f64>) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else { return "–".to_owned() };
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor();
    if !(-4.0..7.0).contains(&magnitude) {
        return format!("{value:.3e}");
    }
    let decimals = (3.0 - magnitude).clamp(0.0, 7.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_four_digits() {
        assert_eq!(number(Some(0.049_876_5)), "0.04988");
        assert_eq!(number(Some(12.0)), "12");
        assert_eq!(number(Some(-1_234.56)), "-1235");
        assert_eq!(number(Some(1e-9)), "1.000e-9");
        assert_eq!(number(Some(f64::NAN)), "–");
        assert_eq!(number(None), "–");
    }

    #[test]
    fn columns_line_up() {
        let mut table = Table::default();
        table.row(["a".to_owned(), "1".to_owned()]);
        table.row(["long".to_owned(), "12".to_owned()]);
        assert_eq!(table.text("  "), "  a      1\n  long  12\n");
    }
}
