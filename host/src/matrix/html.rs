//! The matrix as one self-contained page.
//!
//! The table is plain HTML and can be read without scripts. A script sorts it and opens the explanation of a cell; the
//! data for that stand in the page once for all cells.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Matrix, Row, Word, column_name};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

impl Matrix {
    /// The matrix as a page. `title` stands above it.
    #[must_use]
    pub fn to_html(&self, title: &str) -> String {
        // What is filled in last cannot be taken for a place to fill in: the data may contain anything.
        let parts = PAGE.split("<!--").filter_map(|part| part.split_once("-->"));
        let mut page = PAGE.split("<!--").next().unwrap_or_default().to_owned();
        for (place, rest) in parts {
            match place.trim() {
                "title" => page.push_str(&escape(title)),
                "style" => page.push_str(STYLE),
                "script" => page.push_str(SCRIPT),
                "legend" => page.push_str(&self.html_legend()),
                "head" => page.push_str(&self.html_head()),
                "body" => self.rows.iter().enumerate().for_each(|(index, row)| html_row(&mut page, index, row)),
                "data" => page.push_str(&self.html_data()),
                _ => {}
            }
            page.push_str(rest);
        }
        page
    }

    fn html_legend(&self) -> String {
        let mut html = String::new();
        for word in Word::ALL.into_iter().filter(|word| self.count(*word) > 0) {
            let _ = write!(
                html,
                "<li><span class=\"{word}\"><b aria-hidden=\"true\">{}</b> {word}</span> <span class=\"n\">{}</span> \
                 {}</li>",
                word.sign(),
                self.count(word),
                word.meaning()
            );
        }
        let note = self.note().map(|note| format!("<li class=\"note\">{}</li>", escape(&note.replace('`', ""))));
        html + &note.unwrap_or_default()
    }

    fn html_head(&self) -> String {
        let names = ["source".to_owned(), "its class".to_owned(), "size".to_owned()];
        let names = names.into_iter().chain(self.classes.iter().map(|class| column_name(class.as_deref())));
        let mut html = String::new();
        for name in names {
            let _ = write!(
                html,
                "<th scope=\"col\" aria-sort=\"none\"><button type=\"button\" class=\"sort\">{}</button></th>",
                escape(&name)
            );
        }
        html
    }

    /// What the explanations are made of. Nothing in it can end the element that it stands in.
    fn html_data(&self) -> String {
        let steps: Vec<Value> = self
            .steps
            .iter()
            .map(|step| json!([step.object, step.question, step.found, step.so, u8::from(step.decisive)]))
            .collect();
        let cells: Vec<Vec<Value>> = self
            .rows
            .iter()
            .map(|row| {
                let cells = row.cells.iter();
                cells.map(|cell| json!([cell.text(), cell.refusal, cell.warnings, cell.missing, cell.steps])).collect()
            })
            .collect();
        let classes: Vec<String> = self.classes.iter().map(|class| column_name(class.as_deref())).collect();
        let sources: Vec<String> = self.rows.iter().map(|row| row.source.to_string()).collect();
        let data = json!({"steps": steps, "cells": cells, "classes": classes, "sources": sources}).to_string();
        data.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
    }
}

fn html_row(page: &mut String, index: usize, row: &Row) {
    let [class, size] = row.class_and_size();
    let bytes = row.size.as_deref().and_then(|size| vmdisk_policy::quantity::Quantity::parse(size).ok());
    let bytes = bytes.map_or(0, |size| size.bytes());
    let _ = write!(
        page,
        "<tr data-row=\"{index}\"><th scope=\"row\">{}</th><td>{}</td><td data-key=\"{bytes}\">{}</td>",
        escape(&row.source.to_string()),
        escape(&class),
        escape(&size)
    );
    for cell in &row.cells {
        let word = cell.outlook.word;
        let doubts = cell.doubts();
        let mut reason = cell.outlook.reason.clone();
        if !doubts.is_empty() {
            let but = format!("but {}", doubts.join(", "));
            reason = if reason.is_empty() { but } else { format!("{reason}, {but}") };
        }
        let reason = if reason.is_empty() { String::new() } else { format!("<small>{}</small>", escape(&reason)) };
        let _ = write!(
            page,
            "<td data-key=\"{}\"><button type=\"button\" class=\"cell {word}\"><b aria-hidden=\"true\">{}</b> \
             {word}{reason}</button></td>",
            word as u8,
            word.sign()
        );
    }
    page.push_str("</tr>\n");
}

/// Text as HTML, in elements and attributes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text() {
        assert_eq!(escape("<img src='x' onerror=\"a&b\">"), "&lt;img src=&#39;x&#39; onerror=&quot;a&amp;b&quot;&gt;");
    }
}
