//! The matrix as JSON; `docs/vmdisk-check.md` describes it.

use serde_json::{Map, Value, json};

use super::{Cell, Matrix, Row, Word};
use crate::explain::Step;

/// What the first key of the document says. A change that breaks readers changes it.
const SCHEMA: &str = "vmdisk-check/matrix/v1";

impl Matrix {
    /// The matrix as a JSON document.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let summary: Map<String, Value> =
            Word::ALL.into_iter().map(|word| (word.as_str().to_owned(), self.count(word).into())).collect();
        let not_in_dump: Vec<&str> = self.not_in_dump.iter().map(|kind| kind.name()).collect();
        json!({
            "schema": SCHEMA,
            "namespace": self.namespace,
            "classes": self.classes,
            "notInDump": not_in_dump,
            "summary": summary,
            "rows": self.rows.iter().map(|row| self.row_to_json(row)).collect::<Vec<_>>(),
            "steps": self.steps.iter().map(step_to_json).collect::<Vec<_>>(),
        })
    }

    fn row_to_json(&self, row: &Row) -> Value {
        let cells = self.classes.iter().zip(&row.cells);
        let (super::RowSource::Claim { namespace, name } | super::RowSource::DataSource { namespace, name }) =
            &row.source;
        json!({
            "source": {"kind": row.source.kind().name(), "namespace": namespace, "name": name},
            "class": row.source_class,
            "size": row.size,
            "cells": cells.map(|(class, cell)| cell_to_json(class.as_deref(), cell)).collect::<Vec<_>>(),
        })
    }
}

fn cell_to_json(class: Option<&str>, cell: &Cell) -> Value {
    json!({
        "class": class,
        "outlook": cell.outlook.word.as_str(),
        "reason": cell.outlook.reason,
        "text": cell.text(),
        "doubts": cell.doubts(),
        "refusal": cell.refusal,
        "warnings": cell.warnings,
        "missing": cell.missing,
        "steps": cell.steps,
    })
}

fn step_to_json(step: &Step) -> Value {
    json!({
        "object": step.object,
        "question": step.question,
        "found": step.found,
        "so": step.so,
        "decides": step.decisive,
    })
}
