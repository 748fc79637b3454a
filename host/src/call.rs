//! What a module asks of the host, and how it was answered.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::texts::HostError;

/// `kubernetes/get_resource`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetResource {
    /// `apiVersion` of the kind.
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// The object's name.
    pub name: String,
    /// Its namespace; none for a cluster-scoped kind.
    pub namespace: Option<String>,
    /// Whether the host's cache of 5 s is passed by.
    pub disable_cache: bool,
    /// The fields wanted; none or empty means all.
    pub field_masks: Option<BTreeSet<String>>,
}

/// `kubernetes/list_resources_all`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListAll {
    /// `apiVersion` of the kind.
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// A selector of labels.
    pub label_selector: Option<String>,
    /// A selector of fields.
    pub field_selector: Option<String>,
    /// The fields wanted; none or empty means all.
    pub field_masks: Option<BTreeSet<String>>,
}

/// `kubernetes/list_resources_by_namespace`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListNamespace {
    /// `apiVersion` of the kind.
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// The namespace.
    pub namespace: String,
    /// A selector of labels.
    pub label_selector: Option<String>,
    /// A selector of fields.
    pub field_selector: Option<String>,
    /// The fields wanted; none or empty means all.
    pub field_masks: Option<BTreeSet<String>>,
}

/// `kubernetes/can_i`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CanI {
    /// Who wants to do what. Sessions call it `request`, the call itself `subject_access_review`.
    #[serde(alias = "subject_access_review")]
    pub request: SubjectAccessReview,
    /// Whether the host's cache of 5 s is passed by.
    pub disable_cache: bool,
}

/// Who wants to do what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubjectAccessReview {
    /// The user's groups.
    pub groups: Option<Vec<String>>,
    /// What.
    pub resource_attributes: ResourceAttributes,
    /// The user.
    pub user: String,
}

/// What somebody wants to do, and to what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of Kubernetes' ResourceAttributes")]
pub struct ResourceAttributes {
    pub group: Option<String>,
    pub name: Option<String>,
    pub namespace: Option<String>,
    pub resource: String,
    pub subresource: Option<String>,
    pub verb: String,
    pub version: Option<String>,
}

/// A host call, as `kwctl` writes it into a session.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub enum Request {
    /// `get_resource`
    #[serde(rename = "KubernetesGetResource")]
    Get(GetResource),
    /// `list_resources_all`
    #[serde(rename = "KubernetesListResourceAll")]
    ListAll(ListAll),
    /// `list_resources_by_namespace`
    #[serde(rename = "KubernetesListResourceNamespace")]
    ListNamespace(ListNamespace),
    /// `can_i`
    #[serde(rename = "KubernetesCanI")]
    CanI(CanI),
    /// A call that this host does not answer, or could not read: namespace and operation.
    #[serde(skip)]
    Other(String, String),
}

impl Request {
    /// The operation, as the module names it.
    #[must_use]
    pub fn operation(&self) -> &str {
        match self {
            Self::Get(_) => "get_resource",
            Self::ListAll(_) => "list_resources_all",
            Self::ListNamespace(_) => "list_resources_by_namespace",
            Self::CanI(_) => "can_i",
            Self::Other(_, operation) => operation,
        }
    }

    /// `apiVersion` and kind of what is asked for.
    #[must_use]
    pub fn kind(&self) -> Option<(&str, &str)> {
        match self {
            Self::Get(get) => Some((&get.api_version, &get.kind)),
            Self::ListAll(list) => Some((&list.api_version, &list.kind)),
            Self::ListNamespace(list) => Some((&list.api_version, &list.kind)),
            Self::CanI(_) | Self::Other(..) => None,
        }
    }

    /// The name asked for, where one is.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Get(get) => Some(&get.name),
            Self::ListAll(_) | Self::ListNamespace(_) | Self::CanI(_) | Self::Other(..) => None,
        }
    }

    /// The namespace asked for, where one is.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        match self {
            Self::Get(get) => get.namespace.as_deref(),
            Self::ListNamespace(list) => Some(&list.namespace),
            Self::ListAll(_) | Self::CanI(_) | Self::Other(..) => None,
        }
    }

    /// The fields asked for; none means all.
    #[must_use]
    pub fn field_masks(&self) -> Option<&BTreeSet<String>> {
        match self {
            Self::Get(get) => get.field_masks.as_ref(),
            Self::ListAll(list) => list.field_masks.as_ref(),
            Self::ListNamespace(list) => list.field_masks.as_ref(),
            Self::CanI(_) | Self::Other(..) => None,
        }
    }

    /// Whether the cache is passed by, for calls that have one.
    #[must_use]
    pub fn disable_cache(&self) -> Option<bool> {
        match self {
            Self::Get(get) => Some(get.disable_cache),
            Self::CanI(can_i) => Some(can_i.disable_cache),
            Self::ListAll(_) | Self::ListNamespace(_) | Self::Other(..) => None,
        }
    }
}

/// `GET PersistentVolumeClaim cozy-public/golden`, `GET StorageClass local`, `LIST StorageClass`,
/// `LIST PersistentVolumeClaim tenant-a/`: how calls are written in expectations and traces.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Get(get) => {
                write!(f, "GET {} ", get.kind)?;
                if let Some(namespace) = &get.namespace {
                    write!(f, "{namespace}/")?;
                }
                f.write_str(&get.name)
            }
            Self::ListAll(list) => write!(f, "LIST {}", list.kind),
            Self::ListNamespace(list) => write!(f, "LIST {} {}/", list.kind, list.namespace),
            Self::CanI(can_i) => {
                let what = &can_i.request.resource_attributes;
                write!(f, "CAN-I {} {}", what.verb, what.resource)
            }
            Self::Other(namespace, operation) => write!(f, "CALL {namespace}/{operation}"),
        }
    }
}

/// How a call was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// With the object, or whether somebody may do something.
    Found,
    /// With so many objects.
    Items(usize),
    /// There is no such object.
    Absent,
    /// There is no such kind, group or version.
    NotServed,
    /// The policy may not use this host capability.
    CapabilityDenied,
    /// The policy may not read this kind (`contextAwareResources`).
    NotGranted,
    /// The policy server may not read this.
    Forbidden,
    /// The API server did not answer, or refused to.
    Unreachable,
    /// The call makes no sense, or its name does not fit into a URL.
    BadCall,
    /// With what the cluster description says, word for word.
    Verbatim,
    /// From a recorded session.
    Replayed,
    /// Not at all: a real host never answers a list without the right to list. A test must fail on it.
    NeverAnswered,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Found => "found",
            Self::Items(count) => return write!(f, "{count} found"),
            Self::Absent => "absent",
            Self::NotServed => "kind not served",
            Self::CapabilityDenied => "host capability not granted",
            Self::NotGranted => "not granted",
            Self::Forbidden => "forbidden",
            Self::Unreachable => "unreachable",
            Self::BadCall => "bad call",
            Self::Verbatim => "answered as told",
            Self::Replayed => "replayed",
            Self::NeverAnswered => "never answered",
        };
        f.write_str(text)
    }
}

/// A host call and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostCall {
    /// What was asked.
    pub request: Request,
    /// How it was answered.
    pub outcome: Outcome,
    /// With what.
    pub response: Result<Vec<u8>, HostError>,
}

impl fmt::Display for HostCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.request, self.outcome)
    }
}
