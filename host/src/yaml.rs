//! YAML and JSON texts as JSON documents, with errors that name file, document and line.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// One document of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Which document of the text it is, from 1.
    pub number: usize,
    /// The line of the text on which it begins, from 1.
    pub line: usize,
    /// What it says.
    pub value: Value,
}

/// A text that is not YAML.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{origin}: document {document}, line {line}: {message}")]
pub struct YamlError {
    /// The file, or what stands for it.
    pub origin: String,
    /// Which document, from 1.
    pub document: usize,
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

/// The documents of a YAML or JSON text, those without content left out. `origin` names the text in errors.
///
/// # Errors
/// A document is not YAML.
pub fn documents(text: &str, origin: &str) -> Result<Vec<Document>, YamlError> {
    let mut documents = Vec::new();
    each(text, origin, |number, line, value| {
        if value != Value::Null {
            documents.push(Document { number, line, value });
        }
    })?;
    Ok(documents)
}

/// Hands over the documents of a YAML or JSON text one by one, each with its number and its first line, so that a large
/// text need not be kept as a tree. Documents of nothing but comments are left out.
///
/// # Errors
/// A document is not YAML, or has another shape. What came before it has been handed over.
pub fn each<'t, T: Deserialize<'t>>(
    text: &'t str,
    origin: &str,
    mut take: impl FnMut(usize, usize, T),
) -> Result<(), YamlError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(value) = as_json(text) {
        take(1, 1, value);
        return Ok(());
    }
    let mut number = 0;
    for (line, chunk) in chunks(text) {
        let blank = chunk.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
        if blank && number == 0 && line == 1 {
            continue;
        }
        number += 1;
        if !blank {
            take(number, line, parse(chunk, origin, number, line)?);
        }
    }
    Ok(())
}

/// The only document of a text.
///
/// # Errors
/// It is not YAML, not exactly one document, or does not have the shape asked for.
pub fn single<T: DeserializeOwned>(text: &str, origin: &str) -> Result<T, YamlError> {
    let error = |document, line, message| YamlError { origin: origin.to_owned(), document, line, message };
    let mut documents = documents(text, origin)?.into_iter();
    let first = documents.next();
    if let Some(second) = documents.next() {
        return Err(error(second.number, second.line, "expected one document only".to_owned()));
    }
    let line = first.as_ref().map_or(1, |document| document.line);
    let value = first.map_or(Value::Null, |document| document.value);
    serde_json::from_value(value).map_err(|cause| error(1, line, cause.to_string()))
}

/// JSON that begins like an object is read as JSON: faster, and tabs may indent it.
fn as_json<'t, T: Deserialize<'t>>(text: &'t str) -> Option<T> {
    text.trim_start().starts_with('{').then(|| serde_json::from_str(text).ok()).flatten()
}

fn parse<'t, T: Deserialize<'t>>(
    chunk: &'t str,
    origin: &str,
    document: usize,
    first_line: usize,
) -> Result<T, YamlError> {
    // The dump of a cluster is larger than the library's limits, which are made for files that strangers send.
    let budget = serde_saphyr::budget! {
        max_events: usize::MAX,
        max_nodes: usize::MAX,
        max_total_scalar_bytes: usize::MAX,
    };
    serde_saphyr::from_str_with_options(chunk, serde_saphyr::options! { budget: budget }).map_err(|error| {
        let line = error.location().map_or(0, |at| usize::try_from(at.line()).unwrap_or(0));
        let message = error.without_snippet().to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        YamlError {
            origin: origin.to_owned(),
            document,
            line: first_line + line.saturating_sub(1),
            message: message.to_owned(),
        }
    })
}

/// The text between the lines that separate documents, each with the number of its first line.
fn chunks(text: &str) -> Vec<(usize, &str)> {
    let mut chunks = Vec::new();
    let (mut start, mut first_line, mut offset) = (0, 1, 0);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if line.trim_end() == "---" || line.starts_with("--- ") {
            chunks.push((first_line, text.get(start..offset).unwrap_or_default()));
            // What follows the marker on its own line belongs to the next document.
            start = offset + 3;
            first_line = index + 1;
        }
        offset += line.len();
    }
    chunks.push((first_line, text.get(start..).unwrap_or_default()));
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn values(text: &str) -> Vec<Value> {
        documents(text, "test").unwrap().into_iter().map(|document| document.value).collect()
    }

    #[test]
    fn several_documents_and_comments() {
        assert_eq!(values("# head\n---\na: 1\n---\n# nothing\n---\nb: 2\n"), [json!({"a": 1}), json!({"b": 2})]);
        assert_eq!(values("a: 1\n--- {b: 2}\n"), [json!({"a": 1}), json!({"b": 2})]);
        assert_eq!(values(""), Vec::<Value>::new());
        assert_eq!(values("{\"a\":\n\t1}"), [json!({"a": 1})]);
    }

    #[test]
    fn quantities_stay_as_they_are_written() {
        assert_eq!(values("{a: 5Gi, b: 1.5Gi, c: '5', d: 10}"), [json!({"a": "5Gi", "b": "1.5Gi", "c": "5", "d": 10})]);
    }

    #[test]
    fn an_error_names_document_and_line() {
        let error = documents("a: 1\n---\nb: 2\n---\nc: [1,\nd: 2\n", "cluster.yaml").unwrap_err();
        assert_eq!(error.to_string(), "cluster.yaml: document 3, line 5: unclosed bracket '['");
        let error = documents("a: 1\na: 2\n", "x").unwrap_err();
        assert_eq!((error.document, error.line), (1, 2));
    }

    #[test]
    fn one_document_only() {
        assert_eq!(single::<Value>("a: 1", "x").unwrap(), json!({"a": 1}));
        let error = single::<Value>("a: 1\n---\nb: 2", "x").unwrap_err();
        assert_eq!(error.to_string(), "x: document 2, line 2: expected one document only");
    }
}
