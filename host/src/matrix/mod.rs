//! The clone matrix of a cluster: which image can be cloned into which class, how, and where it will hang.
//!
//! Every cell is an answer of the policy's own code to the creation of a disk that cannot exist yet.

mod html;
mod json;
mod markdown;
mod outlook;
mod request;
mod rows;
mod table;

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize as _;
use vmdisk_policy::cluster::Kind;
use vmdisk_policy::json::Json;
use vmdisk_policy::settings::{OnLookupFailure, Settings};
use vmdisk_policy::text;
use vmdisk_policy::verdict::COULD_NOT_TELL;

use crate::dump::Dump;
use crate::explain::{Step, assess};

pub use outlook::{Outlook, Word, refusal_reasons, warning_reasons};
pub use request::creation;
pub use rows::{RowSource, rows};
pub use table::TableStyle;

/// What the matrix is about.
#[derive(Debug, Clone)]
pub struct Question {
    /// The rows; empty: golden images and DataSources.
    pub sources: Vec<RowSource>,
    /// The size of the new disks; `None`: the source's.
    pub size: Option<String>,
    /// The namespace of the new disks.
    pub namespace: String,
    /// The policy's settings.
    pub settings: Settings,
}

/// The clone matrix of a cluster.
#[derive(Debug)]
pub struct Matrix {
    /// The namespace of the new disks.
    pub namespace: String,
    /// The columns: classes, and `None` for "class left out", which comes last.
    pub classes: Vec<Option<String>>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Every step of every cell, once.
    pub steps: Vec<Step>,
    /// The kinds of which the dump held nothing, and did not say so.
    pub not_in_dump: Vec<Kind>,
}

/// A row.
#[derive(Debug)]
pub struct Row {
    /// The source.
    pub source: RowSource,
    /// The class of the source, where it is known.
    pub source_class: Option<String>,
    /// The size that the new disks ask for; `None`: none, so that CDI finds it out.
    pub size: Option<String>,
    /// A cell for each class.
    pub cells: Vec<Cell>,
}

impl Row {
    /// Class and size of the source as a reader sees them: `?` for what is not known.
    fn class_and_size(&self) -> [Cow<'_, str>; 2] {
        [&self.source_class, &self.size].map(|text| text.as_deref().map_or("?".into(), text::name))
    }
}

/// A cell.
#[derive(Debug)]
pub struct Cell {
    /// What becomes of the disk.
    pub outlook: Outlook,
    /// The policy's refusal, word for word.
    pub refusal: Option<String>,
    /// The policy's warnings, word for word.
    pub warnings: Vec<String>,
    /// What could not be looked up.
    pub missing: Vec<String>,
    /// The steps, as indices into the matrix's.
    pub steps: Vec<usize>,
}

/// Warnings that say no more than the cell does.
const SAID_BY_THE_CELL: [&str; 2] = ["HostAssistedCopy", "LookupFailed"];

impl Cell {
    /// The reason words that a reader should know of beside the outlook: of warnings about a disk that is made.
    #[must_use]
    pub fn doubts(&self) -> Vec<&str> {
        if !matches!(self.outlook.word, Word::CsiClone | Word::Snapshot | Word::Copy) {
            return Vec::new();
        }
        let words = self.warnings.iter().flat_map(|warning| refusal_reasons(warning));
        words.filter(|word| !SAID_BY_THE_CELL.contains(word)).collect()
    }

    /// The outlook with its doubts, as the cell of a table.
    #[must_use]
    pub fn text(&self) -> String {
        let doubts = self.doubts();
        if doubts.is_empty() {
            self.outlook.to_string()
        } else {
            format!("{}, but {}", self.outlook, doubts.join(", "))
        }
    }
}

impl Matrix {
    /// Asks the policy for every cell. `progress` is told after each how many are done, and how many there are.
    #[must_use]
    pub fn of(dump: &Dump, question: &Question, progress: &mut dyn FnMut(usize, usize)) -> Self {
        // What the policy would let pass because it could not look is not known here.
        let mut settings = question.settings.clone();
        settings.on_lookup_failure = OnLookupFailure::Reject;
        let classes = dump.names_of(Kind::StorageClass).map(|(_, name)| Some(name.to_owned()));
        let classes: Vec<Option<String>> = classes.chain([None]).collect();
        let sources = if question.sources.is_empty() { rows(dump, &settings) } else { question.sources.clone() };
        let total = classes.len() * sources.len();
        let mut matrix = Self {
            namespace: question.namespace.clone(),
            classes,
            rows: Vec::new(),
            steps: Vec::new(),
            not_in_dump: dump.kinds_without_objects(),
        };
        let mut known = HashMap::new();
        for source in sources {
            let found = rows::source_of(&source, dump, &question.namespace);
            let size = question.size.clone().or(found.size);
            let mut cells = Vec::with_capacity(matrix.classes.len());
            for class in &matrix.classes {
                let request = creation(&source, class.as_deref(), size.as_deref(), &question.namespace);
                cells.push(cell(&request, &settings, dump, &mut matrix.steps, &mut known));
                progress(matrix.rows.len() * matrix.classes.len() + cells.len(), total);
            }
            matrix.rows.push(Row { source, source_class: found.class, size, cells });
        }
        matrix
    }

    /// How many cells have each word.
    #[must_use]
    pub fn count(&self, word: Word) -> usize {
        self.rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.outlook.word == word).count()
    }
}

/// What a column is called.
#[must_use]
pub fn column_name(class: Option<&str>) -> String {
    class.map_or("(class left out)".into(), text::name).into_owned()
}

fn cell(
    request: &serde_json::Value,
    settings: &Settings,
    dump: &Dump,
    steps: &mut Vec<Step>,
    known: &mut HashMap<Step, usize>,
) -> Cell {
    let request = Json::deserialize(request).unwrap_or(Json::Null);
    let assessment = assess(&request, settings, dump);
    let outlook = Outlook::of(&assessment, settings, dump);
    let mut missing: Vec<String> = Vec::new();
    for failure in assessment.lookups.iter().filter_map(crate::explain::LookedUp::failure) {
        let words = dump.missing(&failure).to_string();
        if !missing.contains(&words) {
            missing.push(words);
        }
    }
    let mut index = |step: Step| {
        *known.entry(step).or_insert_with_key(|step| {
            steps.push(step.clone());
            steps.len() - 1
        })
    };
    Cell {
        steps: assessment.steps(settings).into_iter().map(&mut index).collect(),
        outlook,
        warnings: assessment.warnings().into_iter().map(str::to_owned).collect(),
        // That the policy would refuse what it cannot check is this tool's own setting.
        refusal: assessment.verdict.refusal.filter(|(code, _)| *code != COULD_NOT_TELL).map(|(_, message)| message),
        missing,
    }
}
