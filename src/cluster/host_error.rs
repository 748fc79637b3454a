//! What the host's error texts say about an object.
//!
//! The host answers a failed lookup with one string (`crates/policy-evaluator/src/callback_handler/kubernetes/` and
//! `src/runtimes/callback.rs` in `kubewarden/kubewarden-controller`; `kube-client`'s errors inside). What it says is
//! told from the **start** of the message: texts quote the name that was asked for, and names are the tenant's.
//!
//! | message starts with | answer |
//! | --- | --- |
//! | `Cannot find resource GROUP/KIND` | kind not served |
//! | `Cannot find GROUP/KIND named '…' inside of namespace '…'` | absent |
//! | `error finding resource GROUP / KIND: ` and then `ApiError: 404 page not found` | kind not served |
//! | the same, and then anything else (an outage, 401, 503) | what that says |
//! | `ApiError: 404 page not found` | kind not served (its CRD was removed under a running server) |
//! | `ApiError: `, of which `Forbidden`, 403 | forbidden |
//! | `ApiError: ` with code 401, 429, 5xx or a text of a proxy, `ServiceError: `, a time limit | unreachable |
//! | `Policy has not been granted access to ` | not granted |
//! | anything else: a bad call, a replay that does not fit | unknown |
//!
//! A `Caused by` block, a stack trace, and in recorded sessions the lack of prefixes change nothing.

use super::Cause;

/// What an error of the host says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostAnswer {
    /// No such object.
    Absent,
    /// The cluster has no such kind.
    NotServed,
    /// It could not be told.
    Failed(Cause),
}

/// Reads an error text of the host.
#[must_use]
pub fn parse(text: &str) -> HostAnswer {
    let message = without_prefixes(text);
    if let Some(rest) = message.strip_prefix("Cannot find ") {
        return cannot_find(rest);
    }
    if message.starts_with("Policy has not been granted access to ") {
        return HostAnswer::Failed(Cause::NotGranted);
    }
    // The wrapper names group and kind, which are the policy's own words: the first ": " after it ends them.
    let inner = match message.strip_prefix("error finding resource ") {
        Some(rest) => after(rest, ": ").unwrap_or_default(),
        None => message,
    };
    if let Some(error) = inner.strip_prefix("ApiError: ") {
        return api_error(error);
    }
    let unreachable =
        ["ServiceError: ", "HyperError: ", "client error", "context deadline exceeded", "deadline has elapsed"];
    HostAnswer::Failed(if unreachable.iter().any(|start| inner.starts_with(start)) {
        Cause::Unreachable
    } else {
        Cause::Unknown
    })
}

/// Each layer on the way puts its words in front; recorded sessions have none of them, other hosts may have some.
fn without_prefixes(text: &str) -> &str {
    let mut message = text.trim_start();
    if let Some(rest) = message.strip_prefix("error invoking host capability ") {
        message = after(rest, ": ").unwrap_or_default();
    }
    for prefix in ["Host error: ", "Callback evaluation failure: "] {
        message = message.strip_prefix(prefix).unwrap_or(message);
    }
    message
}

/// What follows `Cannot find `.
fn cannot_find(rest: &str) -> HostAnswer {
    let (subject, tail) = rest.split_once(' ').unwrap_or((rest, ""));
    let subject = subject.trim_end();
    if subject == "resource" && tail.split_whitespace().next().is_some_and(|word| word.contains('/')) {
        HostAnswer::NotServed
    } else if subject.contains('/') && tail.starts_with("named '") && after(tail, "' inside of namespace '").is_some() {
        HostAnswer::Absent
    } else {
        HostAnswer::Failed(Cause::Unknown)
    }
}

/// What follows `ApiError: `: a message, the reason, and the debug text of the status (`kube_core::ErrorResponse`).
fn api_error(error: &str) -> HostAnswer {
    let code = code(error);
    // A server that has no such path says this and nothing else on its line; a missing object has a name.
    if let Some(rest) = error.strip_prefix("404 page not found")
        && (rest.is_empty() || rest.starts_with('\n'))
        && code.is_none_or(|code| code == 404)
    {
        return HostAnswer::NotServed;
    }
    HostAnswer::Failed(match code {
        Some(403) => Cause::Forbidden,
        Some(401 | 408 | 429 | 500..) => Cause::Unreachable,
        Some(_) => Cause::Unknown,
        // Without a status there is only the message, and what it quotes is not to be trusted beyond its start.
        None if error.starts_with("Unauthorized") || error.starts_with("service unavailable") => Cause::Unreachable,
        None if after(error, " is forbidden: User \"").is_some() => Cause::Forbidden,
        None => Cause::Unknown,
    })
}

/// The code of the status in an error's text. DNS-1123 names cannot imitate where it stands.
fn code(error: &str) -> Option<u16> {
    let code = after(after(error, "(Status { status: ")?, "code: ")?;
    let digits = code.bytes().take_while(u8::is_ascii_digit).count();
    code.get(..digits)?.parse().ok()
}

/// What follows the first `mark`. The standard library's search prepares more than these short texts are worth.
fn after<'t>(text: &'t str, mark: &str) -> Option<&'t str> {
    let at = text
        .as_bytes()
        .windows(mark.len())
        .position(|window| window.first() == mark.as_bytes().first() && window == mark.as_bytes())?;
    text.get(at + mark.len()..)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::Value;

    use super::*;

    const ABSENT: &str = "Cannot find v1/PersistentVolumeClaim named 'x' inside of namespace 'Some(\"ns\")'";
    const PAGE_NOT_FOUND: &str = "ApiError: 404 page not found\n: Failed to parse error data (Status { status: \
        Some(Failure), code: 404, message: \"404 page not found\\n\", metadata: None, reason: \
        \"Failed to parse error data\", details: None })";

    fn prefixed(message: &str) -> [String; 4] {
        [
            message.to_owned(),
            format!("Callback evaluation failure: {message}"),
            format!("Host error: Callback evaluation failure: {message}"),
            format!(
                "error invoking host capability kubernetes.get_resource: Host error: Callback evaluation failure: {message}"
            ),
        ]
    }

    /// What a recorded case must be read as, by its name.
    fn expected(case: &str) -> HostAnswer {
        let starts = |starts: &[&str]| starts.iter().any(|start| case.starts_with(start));
        if starts(&["absent", "name with slash", "name with ?", "name 300", "namespace with slash"]) {
            HostAnswer::Absent
        } else if starts(&["kind not in contextAware", "apiVersion without slash"]) {
            HostAnswer::Failed(Cause::NotGranted)
        } else if starts(&["kind not in", "group ", "no rights: Nonexistent", "no rights: Thing"]) {
            HostAnswer::NotServed
        } else if starts(&["no rights"]) {
            HostAnswer::Failed(Cause::Forbidden)
        } else {
            HostAnswer::Failed(Cause::Unknown)
        }
    }

    #[rstest]
    #[case(include_str!("../../tests/data/errors.json"))]
    #[case(include_str!("../../tests/data/errors-backtrace.json"))]
    fn every_recorded_text_is_read(#[case] file: &str) {
        let file: Value = serde_json::from_str(file).unwrap();
        for case in file["cases"].as_array().unwrap() {
            let (name, text) = (case["case"].as_str().unwrap(), case["text"].as_str().unwrap());
            if text.starts_with("OK, ") {
                continue;
            }
            assert_eq!(parse(text), expected(name), "{name}: {text}");
            let message = without_prefixes(text);
            let bare = message.split("\n\n").next().unwrap();
            for text in prefixed(message).iter().chain(&prefixed(bare)) {
                assert_eq!(parse(text), expected(name), "{name}: {text}");
            }
        }
    }

    #[rstest]
    #[case(ABSENT, HostAnswer::Absent)]
    #[case(PAGE_NOT_FOUND, HostAnswer::NotServed)]
    #[case("ApiError: 404 page not found", HostAnswer::NotServed)]
    #[case("Cannot find resource v1/Nothing", HostAnswer::NotServed)]
    #[case("Cannot find", HostAnswer::Failed(Cause::Unknown))]
    #[case("Cannot find resource", HostAnswer::Failed(Cause::Unknown))]
    #[case("Cannot find resource at the moment", HostAnswer::Failed(Cause::Unknown))]
    #[case("Cannot find the API server", HostAnswer::Failed(Cause::Unknown))]
    #[case("ServiceError: client error (Connect)", HostAnswer::Failed(Cause::Unreachable))]
    #[case(
        "error finding resource v1 / X: ServiceError: client error (Connect)",
        HostAnswer::Failed(Cause::Unreachable)
    )]
    #[case(
        "error finding resource v1 / X: ApiError: Unauthorized: Unauthorized (Status { status: Some(Failure), code: 401, message: \"Unauthorized\" })",
        HostAnswer::Failed(Cause::Unreachable)
    )]
    #[case("error finding resource v1 / X: ApiError: Unauthorized", HostAnswer::Failed(Cause::Unreachable))]
    #[case(
        "error finding resource v1 / X: ApiError: service unavailable\n: Failed to parse error data (Status { status: Some(Failure), code: 503 })",
        HostAnswer::Failed(Cause::Unreachable)
    )]
    #[case("error finding resource v1 / X: ApiError: service unavailable", HostAnswer::Failed(Cause::Unreachable))]
    #[case("error finding resource v1 / X: ", HostAnswer::Failed(Cause::Unknown))]
    #[case("error finding resource v1 / X", HostAnswer::Failed(Cause::Unknown))]
    #[case(
        "ApiError: Internal error occurred: 404 page not found: InternalError (Status { status: Some(Failure), code: 500 })",
        HostAnswer::Failed(Cause::Unreachable)
    )]
    #[case(
        "ApiError: 404 page not found on the way: x (Status { status: Some(Failure), code: 502 })",
        HostAnswer::Failed(Cause::Unreachable)
    )]
    #[case(
        "Policy has not been granted access to the 'kubernetes/get_resource' host capability. The violation has been reported.",
        HostAnswer::Failed(Cause::NotGranted)
    )]
    #[case("the list of recorded responses is empty", HostAnswer::Failed(Cause::Unknown))]
    #[case(
        "Replay error: unexpected request. Was expecting Cannot find v1/X named 'x' inside of namespace 'None'",
        HostAnswer::Failed(Cause::Unknown)
    )]
    #[case("", HostAnswer::Failed(Cause::Unknown))]
    fn an_outage_is_no_absence(#[case] message: &str, #[case] expected: HostAnswer) {
        for text in prefixed(message) {
            for tail in ["", "\n\nCaused by:\n    404 page not found", "\n\nStack backtrace:\n   0: anyhow::error::msg"]
            {
                let text = format!("{text}{tail}");
                assert_eq!(parse(&text), expected, "{text}");
            }
        }
    }

    #[rstest]
    #[case("cannot-find-resource")]
    #[case("404-page-not-found")]
    #[case("apierror-404")]
    #[case("is-forbidden")]
    #[case("code-403.named.x")]
    fn a_name_does_not_decide(#[case] name: &str) {
        let absent =
            format!("Cannot find v1/PersistentVolumeClaim named '{name}' inside of namespace 'Some(\"{name}\")'");
        let forbidden = format!(
            "ApiError: persistentvolumeclaims \"{name}\" is forbidden: User \"u\" cannot get resource \
             \"persistentvolumeclaims\" in API group \"\" in the namespace \"{name}\": Forbidden (Status {{ status: \
             Some(Failure), code: 403, message: \"persistentvolumeclaims \\\"{name}\\\" is forbidden\" }})"
        );
        let timeout = format!(
            "ApiError: the server was unable to return {name}: Timeout (Status {{ status: Some(Failure), code: 504, \
             message: \"{name}\" }})"
        );
        for (message, expected) in [
            (absent, HostAnswer::Absent),
            (forbidden, HostAnswer::Failed(Cause::Forbidden)),
            (timeout, HostAnswer::Failed(Cause::Unreachable)),
        ] {
            for text in prefixed(&message) {
                assert_eq!(parse(&text), expected, "{text}");
            }
        }
    }
}
