//! The matrix as tables for a terminal.

use std::fmt::Write as _;

use comfy_table::{ContentArrangement, Table, presets};
use vmdisk_policy::text;

use super::{Matrix, Word, column_name};

/// A column is wider only where there is room: reasons are broken into lines.
const COLUMN: usize = 20;
/// The same for the column about the source.
const SOURCE_COLUMN: usize = 30;
/// What stands around the text of a column.
const AROUND: usize = 3;
/// A longer name is cut in the middle.
const LONGEST_NAME: usize = 63;
/// What stands between columns.
const SEPARATORS: [char; 2] = ['│', '┆'];

/// How the tables are drawn.
#[derive(Debug, Clone, Copy)]
pub struct TableStyle {
    /// The width of the terminal, in characters.
    pub width: usize,
    /// Whether colours are used.
    pub colour: bool,
}

impl Matrix {
    /// The matrix as tables, as many as the classes need, and a legend.
    #[must_use]
    pub fn to_table(&self, style: TableStyle) -> String {
        if self.rows.is_empty() {
            return format!("There is nothing to clone in the dump.\n{}", self.legend(style));
        }
        let mut result = String::new();
        for block in self.blocks(style.width) {
            result.push_str(&self.block(&block, style));
            result.push_str("\n\n");
        }
        result.push_str(&self.legend(style));
        result
    }

    /// The columns, as many together as are readable in that width.
    fn blocks(&self, width: usize) -> Vec<Vec<usize>> {
        let room = width.saturating_sub(SOURCE_COLUMN + AROUND + 1);
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        let mut left = 0;
        for (index, class) in self.classes.iter().enumerate() {
            let cells = self.rows.iter().filter_map(|row| row.cells.get(index));
            let longest = cells.map(|cell| cell.text().chars().count() + 2).max().unwrap_or_default();
            let header = column_name(class.as_deref()).chars().count();
            let needed = longest.max(header).min(COLUMN) + AROUND;
            match blocks.last_mut() {
                Some(block) if needed <= left => block.push(index),
                Some(_) | None => {
                    left = room;
                    blocks.push(vec![index]);
                }
            }
            left = left.saturating_sub(needed);
        }
        blocks
    }

    /// The table of some of the classes.
    fn block(&self, columns: &[usize], style: TableStyle) -> String {
        let mut table = Table::new();
        table.load_style(presets::UTF8_FULL).set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(u16::try_from(style.width).unwrap_or(u16::MAX));
        let header = columns.iter().filter_map(|column| self.classes.get(*column));
        let header = header.map(|class| text::printable(&column_name(class.as_deref()), LONGEST_NAME).into_owned());
        table.set_header(["source (class, size)".to_owned()].into_iter().chain(header));
        for row in &self.rows {
            let [class, size] = row.class_and_size();
            // Where a line has to be broken anyway, it is not broken within a name.
            let source = format!("{}\n({class}, {size})", row.source.to_string().replacen('/', "/\n", 1));
            let cells = columns.iter().filter_map(|column| row.cells.get(*column));
            let cells = cells.map(|cell| format!("{} {}", cell.outlook.word.sign(), cell.text()));
            table.add_row([source].into_iter().chain(cells));
        }
        let text = table.to_string();
        if style.colour { text.lines().map(coloured).collect::<Vec<_>>().join("\n") } else { text }
    }

    /// What the words mean, and how often each is there.
    fn legend(&self, style: TableStyle) -> String {
        let mut legend = String::new();
        for word in Word::ALL.into_iter().filter(|word| self.count(*word) > 0) {
            let line = format!("{} {:<10}{:>6}  {}", word.sign(), word.as_str(), self.count(word), word.meaning());
            let line = if style.colour { paint(word, &line) } else { line };
            let _ = writeln!(legend, "{line}");
        }
        if let Some(note) = self.note() {
            let _ = writeln!(legend, "\n{}", wrapped(&note, style.width));
        }
        legend
    }
}

/// Text in lines of at most that width.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let used = lines.last().map_or(0, |line| line.chars().count());
        if used > 0 && used + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    lines.join("\n")
}

/// A line of a table, in which every cell that begins with a sign has its colour.
fn coloured(line: &str) -> String {
    let mut result = String::new();
    for cell in line.split_inclusive(SEPARATORS) {
        let word = Word::ALL.into_iter().find(|word| cell.trim_start().starts_with(&format!("{} {word}", word.sign())));
        match (word, cell.trim_end_matches(SEPARATORS)) {
            (Some(word), text) => {
                result.push_str(&paint(word, text));
                result.push_str(cell.get(text.len()..).unwrap_or_default());
            }
            (None, _) => result.push_str(cell),
        }
    }
    result
}

fn paint(word: Word, text: &str) -> String {
    let code = match word {
        Word::CsiClone | Word::Snapshot => "32",
        Word::Copy => "36",
        Word::Waits => "33",
        Word::Fails | Word::Refused => "31",
        Word::Unknown => "35",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}
