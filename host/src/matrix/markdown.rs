//! The matrix as a Markdown table.

use std::fmt::Write as _;

use super::{Matrix, Word, column_name};

impl Matrix {
    /// The matrix as a Markdown table with a legend.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = String::from("| source | class | size |");
        for class in &self.classes {
            let _ = write!(text, " {} |", escape(&column_name(class.as_deref())));
        }
        text.push_str("\n| --- | --- | --- |");
        text.push_str(&" --- |".repeat(self.classes.len()));
        text.push('\n');
        for row in &self.rows {
            let [class, size] = row.class_and_size();
            let _ = write!(text, "| {} | {} | {} |", escape(&row.source.to_string()), escape(&class), escape(&size));
            for cell in &row.cells {
                let _ = write!(text, " {} {} |", cell.outlook.word.sign(), escape(&cell.text()));
            }
            text.push('\n');
        }
        text.push('\n');
        for word in Word::ALL.into_iter().filter(|word| self.count(*word) > 0) {
            let _ = writeln!(text, "- {} {word}: {}", word.sign(), word.meaning());
        }
        if let Some(note) = self.note() {
            let _ = write!(text, "\n{}\n", escape(&note));
        }
        text
    }

    /// What a reader has to know of the dump.
    pub(super) fn note(&self) -> Option<String> {
        if self.not_in_dump.is_empty() {
            return None;
        }
        let kinds: Vec<&str> = self.not_in_dump.iter().map(|kind| kind.name()).collect();
        Some(format!(
            "The dump holds none of: {}. Whether the cluster has any is not known; `--have KIND,…` says that the dump \
             was asked for them.",
            kinds.join(", ")
        ))
    }
}

/// Text that Markdown takes as text.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '|' | '*' | '_' | '<' | '[' | ']' | '~' | '#' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '&' => escaped.push_str("&amp;"),
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_cell() {
        assert_eq!(escape("a|b<c>\n`&"), "a\\|b\\<c> `&amp;");
    }
}
