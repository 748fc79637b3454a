//! The parts of a document that are compared: sections, tables, code.

/// A section of a document: its heading without the marks, and its lines up to the next heading of its level or above.
pub(crate) struct Section<'t> {
    pub(crate) heading: &'t str,
    pub(crate) lines: Vec<&'t str>,
}

/// The sections of the second level, in order.
pub(crate) fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        in_code ^= line.starts_with("```");
        if let Some(heading) = line.strip_prefix("## ").filter(|_| !in_code) {
            sections.push(Section { heading, lines: Vec::new() });
        } else if let Some(section) = sections.last_mut() {
            section.lines.push(line);
        }
    }
    sections
}

/// The section with that heading.
pub(crate) fn section<'t>(name: &str, text: &'t str, heading: &str) -> Section<'t> {
    let mut found: Vec<_> = sections(text).into_iter().filter(|section| section.heading == heading).collect();
    assert_eq!(found.len(), 1, "{name}: sections named \"{heading}\"");
    found.remove(0)
}

impl Section<'_> {
    /// The rows of the section's tables, each as its cells, without the header rows.
    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        let mut columns = None;
        for line in &self.lines {
            let Some(row) = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) else {
                assert!(!line.starts_with('|'), "a row that does not end: {line}");
                columns = None;
                continue;
            };
            let cells: Vec<_> = row.split('|').map(|cell| cell.trim().to_owned()).collect();
            match columns {
                None => columns = Some((cells.len(), false)),
                Some((count, ruled)) => {
                    assert_eq!(cells.len(), count, "cells of {line}");
                    if ruled {
                        rows.push(cells);
                    } else {
                        assert!(
                            cells.iter().all(|cell| cell.chars().all(|c| c == '-')),
                            "no rule below the header: {line}"
                        );
                        columns = Some((count, true));
                    }
                }
            }
        }
        rows
    }

    /// The contents of the section's code blocks in that language.
    pub(crate) fn blocks(&self, language: &str) -> Vec<String> {
        let mut blocks = Vec::new();
        let mut block: Option<(bool, Vec<&str>)> = None;
        for line in &self.lines {
            match (line.strip_prefix("```"), block.take()) {
                (Some(opened), None) => block = Some((opened == language, Vec::new())),
                (Some(_), Some((wanted, lines))) => {
                    if wanted {
                        blocks.push(lines.join("\n"));
                    }
                }
                (None, Some((wanted, mut lines))) => {
                    lines.push(line);
                    block = Some((wanted, lines));
                }
                (None, None) => {}
            }
        }
        assert!(block.is_none(), "a code block that does not end");
        blocks
    }
}

/// The code that a cell consists of.
pub(crate) fn code(cell: &str) -> &str {
    cell.strip_prefix('`')
        .and_then(|cell| cell.strip_suffix('`'))
        .filter(|code| !code.contains('`'))
        .unwrap_or_else(|| panic!("no code: {cell}"))
}

/// Every code span of a line.
pub(crate) fn codes(line: &str) -> Vec<&str> {
    let parts: Vec<_> = line.split('`').collect();
    assert!(parts.len() % 2 == 1, "a code span that does not end: {line}");
    parts.into_iter().skip(1).step_by(2).collect()
}
