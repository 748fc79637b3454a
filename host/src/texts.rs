//! The error texts of Kubewarden's policy-evaluator, letter for letter.
//!
//! The module sees them behind `error invoking host capability kubernetes.get_resource: ` (which its SDK adds) and
//! `Host error: ` (which wapc-guest adds): neither is the host's. Sources: `crates/policy-evaluator/src/runtimes/callback.rs`
//! and `callback_handler/kubernetes/client.rs` of kubewarden/kubewarden-controller, compared with texts recorded on a
//! real cluster in `tests/data/errors.json`.

use std::fmt::{self, Write as _};

/// An error that the host gives to the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostError {
    /// Said by the host itself before it asked anybody.
    Host(String),
    /// Said by the part of the host that asks the API server: a message and what caused it. Only the message is
    /// recorded in a session.
    Callback {
        /// The message.
        message: String,
        /// What caused it, outermost first.
        causes: Vec<String>,
    },
}

/// As the module sees it, without what SDK and wapc-guest put in front.
impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(text) => f.write_str(text),
            Self::Callback { message, causes } => {
                write!(f, "Callback evaluation failure: {message}")?;
                if !causes.is_empty() {
                    f.write_str("\n\nCaused by:")?;
                }
                for (number, cause) in causes.iter().enumerate() {
                    // anyhow numbers several causes, and indents the further lines of each.
                    let (head, indent) =
                        if causes.len() == 1 { ("    ".to_owned(), 4) } else { (format!("{number:>5}: "), 7) };
                    let cause = cause.replace('\n', &format!("\n{}", " ".repeat(indent)));
                    write!(f, "\n{head}{cause}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for HostError {}

impl HostError {
    /// An error of the callback without further causes.
    #[must_use]
    pub fn callback(message: impl Into<String>) -> Self {
        Self::Callback { message: message.into(), causes: Vec::new() }
    }

    fn caused(message: impl Into<String>, causes: impl IntoIterator<Item = String>) -> Self {
        Self::Callback { message: message.into(), causes: causes.into_iter().collect() }
    }
}

/// The host capability is not granted; checked before anything else.
#[must_use]
pub fn capability_denied(path: &str) -> HostError {
    HostError::Host(format!(
        "Policy has not been granted access to the '{path}' host capability. The violation has been reported."
    ))
}

/// The kind is not among the policy's `contextAwareResources`.
#[must_use]
pub fn not_granted(api_version: &str, kind: &str) -> HostError {
    HostError::Host(format!(
        "Policy has not been granted access to Kubernetes {api_version}/{kind} resources. The violation has been reported."
    ))
}

/// There is no such object.
#[must_use]
pub fn absent(api_version: &str, kind: &str, name: &str, namespace: Option<&str>) -> HostError {
    HostError::callback(format!("Cannot find {api_version}/{kind} named '{name}' inside of namespace '{namespace:?}'"))
}

/// The group version is served, the kind is not one of its.
#[must_use]
pub fn kind_not_served(api_version: &str, kind: &str) -> HostError {
    HostError::callback(format!("Cannot find resource {api_version}/{kind}"))
}

/// The group or version is not served.
#[must_use]
pub fn group_not_served(api_version: &str, kind: &str) -> HostError {
    HostError::callback(while_finding(api_version, kind, &Status::page_not_found().api_error()))
}

/// The kind was served when the host first asked, and its CRD is gone since.
#[must_use]
pub fn crd_removed() -> HostError {
    Status::page_not_found().into_error()
}

/// A namespaced kind without a namespace.
#[must_use]
pub fn namespace_missing(api_version: &str, kind: &str) -> HostError {
    HostError::callback(format!("Resource {api_version}/{kind} is namespaced, but no namespace was provided"))
}

/// A list by namespace of a cluster-scoped kind.
#[must_use]
pub fn cluster_wide(api_version: &str, kind: &str) -> HostError {
    HostError::callback(format!(
        "resource {api_version}/{kind} is cluster wide. Cannot search for it inside of a namespace"
    ))
}

/// A get without a name.
#[must_use]
pub fn name_missing() -> HostError {
    let cause = "failed to validate request: A non-empty name is required";
    HostError::caused(format!("Failed to build request: {cause}"), [cause.to_owned()])
}

/// A name or namespace with characters that no URL has.
#[must_use]
pub fn invalid_uri() -> HostError {
    let root = "invalid uri character";
    let cause = format!("failed to build request: {root}");
    HostError::caused(format!("Failed to build request: {cause}"), [cause, root.to_owned()])
}

/// The API server got an empty namespace.
#[must_use]
pub fn namespace_empty() -> HostError {
    Status::answered(400, "BadRequest", "Namespace parameter required.").into_error()
}

/// The API server got a name that is no path segment.
#[must_use]
pub fn name_invalid(name: &str) -> HostError {
    let message = format!("Name parameter invalid: {name:?}: may not be '{name}'");
    Status::answered(400, "BadRequest", &message).into_error()
}

/// The API server got a namespace that is no path segment.
#[must_use]
pub fn key_invalid(path: &str) -> HostError {
    Status::answered(500, "", &format!("invalid key: {path:?}")).into_error()
}

/// The policy server may not get this object. `scope` is `at the cluster scope` or `in the namespace "…"`.
#[must_use]
pub fn forbidden(user: &str, verb: &str, plural: &str, group: &str, name: &str, namespace: Option<&str>) -> HostError {
    let scope = namespace
        .map_or_else(|| "at the cluster scope".to_owned(), |namespace| format!("in the namespace {namespace:?}"));
    let qualified = if group.is_empty() { plural.to_owned() } else { format!("{plural}.{group}") };
    let quoted = if name.is_empty() { String::new() } else { format!(" {name:?}") };
    let message = format!(
        "{qualified}{quoted} is forbidden: User {user:?} cannot {verb} resource {plural:?} in API group {group:?} {scope}"
    );
    let mut status = Status::answered(403, "Forbidden", &message);
    status.details = Some((name.to_owned(), group.to_owned(), plural.to_owned()));
    status.into_error()
}

/// The API server cannot be connected to while the host finds out about the kind.
#[must_use]
pub fn connect(api_version: &str, kind: &str) -> HostError {
    HostError::callback(while_finding(api_version, kind, "ServiceError: client error (Connect)"))
}

/// The API server cannot be connected to once the kind is known.
#[must_use]
pub fn connect_later() -> HostError {
    let causes = ["client error (Connect)", "tcp connect error", "Connection refused (os error 111)"];
    HostError::caused("ServiceError: client error (Connect)", causes.map(str::to_owned))
}

/// The API server does not accept the host's token.
#[must_use]
pub fn unauthorized(api_version: &str, kind: &str) -> HostError {
    let status = Status::answered(401, "Unauthorized", "Unauthorized");
    HostError::callback(while_finding(api_version, kind, &status.api_error()))
}

/// The API server is not ready.
#[must_use]
pub fn unavailable(api_version: &str, kind: &str) -> HostError {
    let status = Status::unreadable(503, "service unavailable\n");
    HostError::callback(while_finding(api_version, kind, &status.api_error()))
}

/// What this host says where a real one says nothing, ever.
#[must_use]
pub fn never_answered(api_version: &str, kind: &str) -> HostError {
    HostError::Host(format!(
        "vmdisk-check: a real host never answers this list of {api_version}/{kind}: the policy server may not list it"
    ))
}

fn while_finding(api_version: &str, kind: &str, error: &str) -> String {
    format!("error finding resource {api_version} / {kind}: {error}")
}

/// A Kubernetes `Status`, as its Rust client prints it.
struct Status {
    code: u16,
    reason: &'static str,
    message: String,
    /// Whether the server sent a `Status` at all, rather than a text.
    structured: bool,
    /// Name, group and plural.
    details: Option<(String, String, String)>,
}

impl Status {
    fn answered(code: u16, reason: &'static str, message: &str) -> Self {
        Self { code, reason, message: message.to_owned(), structured: true, details: None }
    }

    fn unreadable(code: u16, text: &str) -> Self {
        let reason = "Failed to parse error data";
        Self { code, reason, message: text.to_owned(), structured: false, details: None }
    }

    fn page_not_found() -> Self {
        Self::unreadable(404, "404 page not found\n")
    }

    fn api_error(&self) -> String {
        let Self { code, reason, message, structured, details } = self;
        let metadata = if *structured {
            "Some(ListMeta { continue_: None, remaining_item_count: None, resource_version: None, self_link: None })"
        } else {
            "None"
        };
        let mut text = format!(
            "ApiError: {message}: {reason} (Status {{ status: Some(Failure), code: {code}, message: {message:?}, \
             metadata: {metadata}, reason: {reason:?}, details: "
        );
        match details {
            Some((name, group, plural)) => {
                let _ = write!(
                    text,
                    "Some(StatusDetails {{ name: {name:?}, group: {group:?}, kind: {plural:?}, uid: \"\", causes: [], \
                     retry_after_seconds: 0 }})"
                );
            }
            None => text.push_str("None"),
        }
        text.push_str(" })");
        text
    }

    fn into_error(self) -> HostError {
        HostError::caused(self.api_error(), [format!("{}: {}", self.message, self.reason)])
    }
}
