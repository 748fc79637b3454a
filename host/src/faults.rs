//! What goes wrong in a cluster, as a document of kind `Cluster`, `vmdisk-check/v1`, describes it.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::kinds::Kinds;

/// What goes wrong in a cluster. Nothing, by default.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Faults {
    /// Kinds missing from the policy's `contextAwareResources`.
    pub not_granted: Vec<KindRef>,
    /// Kinds that the policy server may neither get nor list. `SubjectAccessReview` stands for `can_i`.
    pub forbidden: Vec<KindRef>,
    /// Kinds that the policy server may get but not list: a list of them is never answered.
    pub not_listable: Vec<KindRef>,
    /// Kinds that the cluster does not serve.
    pub not_served: Vec<KindRef>,
    /// Group versions that the cluster does not serve, such as `snapshot.storage.k8s.io/v1`.
    pub group_not_served: Vec<String>,
    /// Kinds whose CRD was removed after the policy server first asked for it.
    pub removed: Vec<KindRef>,
    /// Kinds for which the API server does not answer.
    #[serde(deserialize_with = "one_or_more")]
    pub unreachable: Vec<Outage>,
    /// Host capabilities that the policy lacks, such as `kubernetes/list_resources_all`.
    pub denied_capabilities: Vec<String>,
    /// Answers given word for word.
    pub answers: Vec<Verbatim>,
    /// Lists come in an order that depends on this; in the order of the manifests without it.
    pub shuffle: Option<u64>,
    /// What `can_i` says. False without it.
    pub can_i: bool,
}

impl Faults {
    /// Adds what another description says.
    pub fn extend(&mut self, other: Self) {
        self.not_granted.extend(other.not_granted);
        self.forbidden.extend(other.forbidden);
        self.not_listable.extend(other.not_listable);
        self.not_served.extend(other.not_served);
        self.group_not_served.extend(other.group_not_served);
        self.removed.extend(other.removed);
        self.unreachable.extend(other.unreachable);
        self.denied_capabilities.extend(other.denied_capabilities);
        self.answers.extend(other.answers);
        self.shuffle = other.shuffle.or(self.shuffle);
        self.can_i |= other.can_i;
    }

    /// How the API server fails to answer about this kind, if it does.
    #[must_use]
    pub fn outage(&self, api_version: &str, kind: &str) -> Option<OutageVariant> {
        self.unreachable.iter().find(|outage| outage.matches(api_version, kind)).map(|outage| outage.variant)
    }

    /// Whether the cluster serves this kind.
    #[must_use]
    pub fn serve(&self, api_version: &str, kind: &str) -> bool {
        !self.group_not_served.iter().any(|group| group == api_version)
            && !self.not_served.iter().any(|named| named.matches(api_version, kind))
    }

    /// The kinds named here that no cluster serves: most likely spelling mistakes.
    #[must_use]
    pub fn unknown_kinds(&self, kinds: &Kinds) -> Vec<String> {
        let outages = self.unreachable.iter().flat_map(|outage| &outage.kinds);
        let answers = self.answers.iter().map(|answer| &answer.kind);
        [&self.not_granted, &self.forbidden, &self.not_listable, &self.not_served, &self.removed]
            .into_iter()
            .flatten()
            .chain(outages)
            .chain(answers)
            .filter(|named| !named.matches("authorization.k8s.io/v1", "SubjectAccessReview"))
            .filter(|named| !kinds.iter().any(|served| named.matches(&served.api_version, &served.kind)))
            .map(KindRef::to_string)
            .chain(self.group_not_served.iter().filter(|group| !kinds.serves(group)).cloned())
            .collect()
    }
}

/// One or several kinds: `v1/PersistentVolumeClaim`, `StorageProfile`, `snapshot.storage.k8s.io/v1`, `*`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct KindRef {
    api_version: Option<String>,
    kind: Option<String>,
}

impl KindRef {
    /// Whether this kind is meant.
    #[must_use]
    pub fn matches(&self, api_version: &str, kind: &str) -> bool {
        self.api_version.as_deref().is_none_or(|wanted| wanted == api_version)
            && self.kind.as_deref().is_none_or(|wanted| wanted == kind)
    }
}

impl TryFrom<String> for KindRef {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_kind = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
        let (api_version, kind) = match text.rsplit_once('/') {
            None if text == "*" => (None, None),
            None if is_kind(&text) => (None, Some(text)),
            None if text == "v1" => (Some(text), None),
            Some((api_version, "*")) => (Some(api_version.to_owned()), None),
            Some((api_version, kind)) if is_kind(kind) => (Some(api_version.to_owned()), Some(kind.to_owned())),
            Some((_, version)) if version.starts_with('v') => (Some(text), None),
            None | Some(_) => {
                return Err(format!(
                    "`{text}` names no kind: expected apiVersion/Kind, Kind, apiVersion, or * for all of them"
                ));
            }
        };
        Ok(Self { api_version, kind })
    }
}

impl std::fmt::Display for KindRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.api_version, &self.kind) {
            (Some(api_version), Some(kind)) => write!(f, "{api_version}/{kind}"),
            (Some(only), None) | (None, Some(only)) => f.write_str(only),
            (None, None) => f.write_str("*"),
        }
    }
}

/// Kinds for which the API server does not answer, and how.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outage {
    /// How.
    #[serde(default)]
    pub variant: OutageVariant,
    /// Which kinds.
    pub kinds: Vec<KindRef>,
}

impl Outage {
    fn matches(&self, api_version: &str, kind: &str) -> bool {
        self.kinds.iter().any(|named| named.matches(api_version, kind))
    }
}

/// How the API server does not answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutageVariant {
    /// No connection while the host finds out about the kind.
    #[default]
    Connect,
    /// No connection once the kind is known.
    ConnectLater,
    /// 401
    Unauthorized,
    /// 503
    Unavailable,
}

/// One outage, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(Outage),
    More(Vec<Outage>),
}

fn one_or_more<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Outage>, D::Error> {
    Ok(match OneOrMore::deserialize(deserializer)? {
        OneOrMore::One(outage) => vec![outage],
        OneOrMore::More(outages) => outages,
    })
}

/// An answer given word for word.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "VerbatimFields")]
pub struct Verbatim {
    /// To a call about which kind.
    pub kind: KindRef,
    /// In which namespace; none matches all.
    pub namespace: Option<String>,
    /// By which name; none matches lists only.
    pub name: Option<String>,
    /// The answer.
    pub answer: VerbatimAnswer,
}

/// What is answered word for word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerbatimAnswer {
    /// `body`: a text as it is, anything else as JSON.
    Body(String),
    /// `error`: an error of the callback, without its `Callback evaluation failure: `.
    Error(String),
    /// `hostError`: an error, as it is.
    HostError(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct VerbatimFields {
    api_version: Option<String>,
    kind: String,
    namespace: Option<String>,
    name: Option<String>,
    body: Option<Value>,
    error: Option<String>,
    host_error: Option<String>,
}

impl TryFrom<VerbatimFields> for Verbatim {
    type Error = String;

    fn try_from(fields: VerbatimFields) -> Result<Self, String> {
        let kind = fields.api_version.map_or(fields.kind.clone(), |version| format!("{version}/{}", fields.kind));
        let kind = KindRef::try_from(kind)?;
        let answer = match (fields.body, fields.error, fields.host_error) {
            (Some(Value::String(text)), None, None) => VerbatimAnswer::Body(text),
            (Some(body), None, None) => VerbatimAnswer::Body(body.to_string()),
            (None, Some(error), None) => VerbatimAnswer::Error(error),
            (None, None, Some(error)) => VerbatimAnswer::HostError(error),
            _ => return Err(format!("the answer for {kind} needs exactly one of body, error, hostError")),
        };
        Ok(Self { kind, namespace: fields.namespace, name: fields.name, answer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn faults(value: Value) -> Faults {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn kinds_are_named_in_several_ways() {
        let named = |text: &str| KindRef::try_from(text.to_owned()).unwrap();
        assert!(named("v1/PersistentVolumeClaim").matches("v1", "PersistentVolumeClaim"));
        assert!(!named("v1/PersistentVolumeClaim").matches("v2", "PersistentVolumeClaim"));
        assert!(named("CDI").matches("cdi.kubevirt.io/v1beta1", "CDI"));
        assert!(named("storage.k8s.io/v1").matches("storage.k8s.io/v1", "CSIDriver"));
        assert!(named("v1").matches("v1", "Secret"));
        assert!(named("*").matches("v1", "Secret"));
        assert!(KindRef::try_from("storageclass".to_owned()).is_err());
    }

    #[test]
    fn outages() {
        let one = faults(json!({"unreachable": {"variant": "unavailable", "kinds": ["CDI"]}}));
        assert_eq!(one.outage("cdi.kubevirt.io/v1beta1", "CDI"), Some(OutageVariant::Unavailable));
        assert_eq!(one.outage("v1", "PersistentVolume"), None);
        let more = faults(json!({"unreachable": [{"kinds": ["CDI"]}, {"kinds": ["*"], "variant": "connect-later"}]}));
        assert_eq!(more.outage("cdi.kubevirt.io/v1beta1", "CDI"), Some(OutageVariant::Connect));
        assert_eq!(more.outage("v1", "PersistentVolume"), Some(OutageVariant::ConnectLater));
    }

    #[test]
    fn mistakes_are_told() {
        let error = |value| serde_json::from_value::<Faults>(value).unwrap_err().to_string();
        assert!(error(json!({"notGrantd": []})).contains("unknown field `notGrantd`"));
        assert!(error(json!({"answers": [{"kind": "CDI"}]})).contains("exactly one of"));
        let faults =
            faults(json!({"forbidden": ["StorageKlass", "CDI", "SubjectAccessReview"], "groupNotServed": ["x/v1"]}));
        assert_eq!(faults.unknown_kinds(&Kinds::default()), ["StorageKlass", "x/v1"]);
    }
}
