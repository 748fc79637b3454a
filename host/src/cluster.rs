//! A cluster made of manifests, with what goes wrong in it.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::answer::{Answer, Answers};
use crate::call::{CanI, GetResource, Outcome, Request};
use crate::faults::{Faults, OutageVariant, VerbatimAnswer};
use crate::kinds::{Kinds, ServedKind};
use crate::list;
use crate::manifests::{ManifestError, Manifests};
use crate::mask;
use crate::path::{self, Target};
use crate::texts::{self, HostError};

/// The policy server's own user, as its chart creates it.
const USER: &str = "system:serviceaccount:kubewarden:policy-server";

/// A cluster made of manifests. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Cluster {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    objects: Vec<Value>,
    /// What the policy may read: the kinds that it looks up.
    granted: Kinds,
    served: Kinds,
    faults: Faults,
}

/// A cluster that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// Its manifests cannot be read.
    #[error(transparent)]
    Manifests(#[from] ManifestError),
    /// Its description of what goes wrong names kinds that there are not.
    #[error("no such kind: {}", .0.join(", "))]
    UnknownKinds(Vec<String>),
}

impl Cluster {
    /// The cluster of a file, a folder, or (`-`) standard input.
    ///
    /// # Errors
    /// It cannot be read, or names kinds that there are not.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ClusterError> {
        Self::new(&Manifests::load(path)?)
    }

    /// The cluster that has these objects, and in which this goes wrong.
    ///
    /// # Errors
    /// The description of what goes wrong names kinds that there are not.
    pub fn new(manifests: &Manifests) -> Result<Self, ClusterError> {
        let faults = manifests.faults().clone();
        let mut served = Kinds::default();
        manifests.objects().for_each(|object| served.add_kind_of(object));
        let unknown = faults.unknown_kinds(&served);
        if !unknown.is_empty() {
            return Err(ClusterError::UnknownKinds(unknown));
        }
        let objects = manifests.objects().cloned().map(|object| placed(object, &served)).collect();
        served.retain(|kind| faults.serve(&kind.api_version, &kind.kind));
        let mut granted = Kinds::default();
        granted.retain(|kind| !faults.not_granted.iter().any(|named| named.matches(&kind.api_version, &kind.kind)));
        granted.retain(ServedKind::read_by_policy);
        Ok(Self { inner: Arc::new(Inner { objects, granted, served, faults }) })
    }

    /// The objects.
    #[must_use]
    pub fn objects(&self) -> &[Value] {
        &self.inner.objects
    }
}

/// The object where `kubectl apply` would put it: one of a namespaced kind is in some namespace.
fn placed(mut object: Value, kinds: &Kinds) -> Value {
    let text = |pointer| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let namespaced = kinds.find(text("/apiVersion"), text("/kind")).is_some_and(|kind| kind.namespaced);
    if let Some(metadata) = object.pointer_mut("/metadata").and_then(Value::as_object_mut) {
        if namespaced {
            metadata.entry("namespace").or_insert_with(|| "default".into());
        } else {
            metadata.remove("namespace");
        }
    }
    object
}

impl Answers for Cluster {
    fn may_use(&self, capability: &str) -> bool {
        !self.inner.faults.denied_capabilities.iter().any(|denied| denied == capability)
    }

    fn may_read(&self, api_version: &str, kind: &str) -> bool {
        self.inner.granted.find(api_version, kind).is_some()
    }

    fn answer(&self, request: &Request) -> Answer {
        self.inner.verbatim(request).unwrap_or_else(|| match request {
            Request::Get(get) => self.inner.get(get),
            Request::ListAll(call) => self.inner.list(&List {
                api_version: &call.api_version,
                kind: &call.kind,
                namespace: None,
                labels: call.label_selector.as_deref(),
                fields: call.field_selector.as_deref(),
                masks: call.field_masks.as_ref(),
            }),
            Request::ListNamespace(call) => self.inner.list(&List {
                api_version: &call.api_version,
                kind: &call.kind,
                namespace: Some(&call.namespace),
                labels: call.label_selector.as_deref(),
                fields: call.field_selector.as_deref(),
                masks: call.field_masks.as_ref(),
            }),
            Request::CanI(can_i) => self.inner.can_i(can_i),
            Request::Other(_, operation) => {
                Answer::error(HostError::Host(format!("unknown operation: {operation}")), Outcome::BadCall)
            }
        })
    }
}

/// Both calls that list.
struct List<'a> {
    api_version: &'a str,
    kind: &'a str,
    namespace: Option<&'a str>,
    labels: Option<&'a str>,
    fields: Option<&'a str>,
    masks: Option<&'a BTreeSet<String>>,
}

impl Inner {
    fn verbatim(&self, request: &Request) -> Option<Answer> {
        let (api_version, kind) = request.kind()?;
        let told = self.faults.answers.iter().find(|told| {
            told.kind.matches(api_version, kind)
                && told.name.as_deref() == request.name()
                && told.namespace.as_deref().is_none_or(|namespace| Some(namespace) == request.namespace())
        })?;
        let response = match &told.answer {
            VerbatimAnswer::Body(text) => Ok(text.clone().into_bytes()),
            VerbatimAnswer::Error(message) => Err(HostError::callback(message)),
            VerbatimAnswer::HostError(text) => Err(HostError::Host(text.clone())),
        };
        Some(Answer { response, outcome: Outcome::Verbatim })
    }

    /// The kind, if the cluster serves it and the API server answers.
    fn discover(&self, api_version: &str, kind: &str) -> Result<&ServedKind, Answer> {
        if let Some(outage) = self.faults.outage(api_version, kind) {
            let error = match outage {
                OutageVariant::Connect => Some(texts::connect(api_version, kind)),
                OutageVariant::Unauthorized => Some(texts::unauthorized(api_version, kind)),
                OutageVariant::Unavailable => Some(texts::unavailable(api_version, kind)),
                OutageVariant::ConnectLater => None,
            };
            if let Some(error) = error {
                return Err(Answer::error(error, Outcome::Unreachable));
            }
        }
        if !self.served.serves(api_version) || self.faults.group_not_served.iter().any(|group| group == api_version) {
            return Err(Answer::error(texts::group_not_served(api_version, kind), Outcome::NotServed));
        }
        self.served
            .find(api_version, kind)
            .ok_or_else(|| Answer::error(texts::kind_not_served(api_version, kind), Outcome::NotServed))
    }

    fn get(&self, get: &GetResource) -> Answer {
        let GetResource { api_version, kind, name, .. } = get;
        let served = match self.discover(api_version, kind) {
            Ok(served) => served,
            Err(answer) => return answer,
        };
        let bad = |error| Answer::error(error, Outcome::BadCall);
        if served.namespaced && get.namespace.is_none() {
            return bad(texts::namespace_missing(api_version, kind));
        }
        if name.is_empty() {
            return bad(texts::name_missing());
        }
        let target = path::resolve(served, get.namespace.as_deref(), name);
        if target == Target::InvalidUri {
            return bad(texts::invalid_uri());
        }
        if self.faults.outage(api_version, kind).is_some() {
            return Answer::error(texts::connect_later(), Outcome::Unreachable);
        }
        if self.faults.removed.iter().any(|named| named.matches(api_version, kind)) {
            return Answer::error(texts::crd_removed(), Outcome::NotServed);
        }
        let namespace = get.namespace.as_deref().filter(|_| served.namespaced);
        if self.faults.forbidden.iter().any(|named| named.matches(api_version, kind)) {
            let error = texts::forbidden(USER, "get", &served.plural, served.group(), name, namespace);
            return Answer::error(error, Outcome::Forbidden);
        }
        if namespace == Some("") {
            return bad(texts::namespace_empty());
        }
        let found = match target {
            Target::InvalidUri | Target::Nothing => None,
            Target::NameInvalid(name) => return bad(texts::name_invalid(&name)),
            Target::KeyInvalid(key) => return bad(texts::key_invalid(&key)),
            Target::Object(namespace, plural, name) => self.object(api_version, namespace.as_deref(), &plural, &name),
            Target::List(namespace, plural) => self.plain_list(api_version, namespace.as_deref(), &plural),
        };
        found.map_or_else(
            || {
                let error = texts::absent(api_version, kind, name, get.namespace.as_deref());
                Answer::error(error, Outcome::Absent)
            },
            |mut object| {
                mask::apply(&mut object, get.field_masks.as_ref());
                Answer::ok(object.to_string(), Outcome::Found)
            },
        )
    }

    /// The objects of a kind, of all namespaces or of one.
    fn of_kind<'a>(&'a self, kind: &'a ServedKind, namespace: Option<&'a str>) -> impl Iterator<Item = &'a Value> {
        let is = |object: &Value, pointer: &str, text: &str| {
            object.pointer(pointer).and_then(Value::as_str).unwrap_or_default() == text
        };
        self.objects.iter().filter(move |object| {
            is(object, "/apiVersion", &kind.api_version)
                && is(object, "/kind", &kind.kind)
                && namespace.is_none_or(|namespace| is(object, "/metadata/namespace", namespace))
        })
    }

    fn object(&self, api_version: &str, namespace: Option<&str>, plural: &str, name: &str) -> Option<Value> {
        let kind = self.served.by_plural(api_version, plural)?;
        self.of_kind(kind, namespace)
            .find(|object| object.pointer("/metadata/name").and_then(Value::as_str) == Some(name))
            .cloned()
    }

    /// The list that a get with an odd name reads: not from a watcher, so nothing is left out.
    fn plain_list(&self, api_version: &str, namespace: Option<&str>, plural: &str) -> Option<Value> {
        let kind = self.served.by_plural(api_version, plural)?;
        let items: Vec<&Value> = self.of_kind(kind, namespace).collect();
        let list = format!("{}List", kind.kind);
        Some(json!({"apiVersion": kind.api_version, "kind": list, "metadata": {}, "items": items}))
    }

    fn list(&self, call: &List<'_>) -> Answer {
        let (api_version, kind) = (call.api_version, call.kind);
        let served = match self.discover(api_version, kind) {
            Ok(served) => served,
            Err(answer) => return answer,
        };
        if call.namespace.is_some() && !served.namespaced {
            return Answer::error(texts::cluster_wide(api_version, kind), Outcome::BadCall);
        }
        let named = |kinds: &[crate::KindRef]| kinds.iter().any(|named| named.matches(api_version, kind));
        let Faults { forbidden, not_listable, removed, .. } = &self.faults;
        let unwatchable = named(forbidden) || named(not_listable) || named(removed);
        let never = || Answer::error(texts::never_answered(api_version, kind), Outcome::NeverAnswered);
        let (labels, fields) = (call.labels.unwrap_or_default(), call.fields.unwrap_or_default());
        // The API server refuses a watch with a selector of other fields, and the host tries again for ever.
        let unsupported = list::fields_match(&Value::Null, fields).is_none();
        if unwatchable || unsupported || self.faults.outage(api_version, kind).is_some() {
            return never();
        }
        let selected =
            |object: &&Value| list::fields_match(object, fields) == Some(true) && list::labels_match(object, labels);
        let mut items: Vec<Value> = self.of_kind(served, call.namespace).filter(selected).cloned().collect();
        if let Some(seed) = self.faults.shuffle {
            list::shuffle(&mut items, seed);
        }
        let count = items.len();
        Answer::ok(list::list(served, items, call.masks).to_string(), Outcome::Items(count))
    }

    fn can_i(&self, _call: &CanI) -> Answer {
        let (api_version, kind) = ("authorization.k8s.io/v1", "SubjectAccessReview");
        if self.faults.forbidden.iter().any(|named| named.matches(api_version, kind)) {
            let plural = "subjectaccessreviews";
            let error = texts::forbidden(USER, "create", plural, "authorization.k8s.io", "", None);
            return Answer::error(error, Outcome::Forbidden);
        }
        Answer::ok(json!({"allowed": self.faults.can_i}).to_string(), Outcome::Found)
    }
}
