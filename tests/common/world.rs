//! A cluster with settings, and what the policy decides in it.

use serde_json::Value;
use vmdisk_policy::cluster::{Cause, Kind, Object};
use vmdisk_policy::json::Json;
use vmdisk_policy::judge::judge;
use vmdisk_policy::settings::{Action, OnLookupFailure, Rule, Settings};
use vmdisk_policy::verdict::Verdict;

use super::*;

/// A cluster with settings.
#[derive(Debug, Clone, Default)]
pub(crate) struct World {
    objects: Vec<Object>,
    settings: Settings,
    faults: Vec<(Kind, Option<String>, Option<Cause>)>,
}

impl World {
    /// A cluster with nothing in it, and the default settings.
    pub(crate) fn empty() -> Self {
        Self::default()
    }

    /// The cluster of cozystack#2908: golden image `ubuntu` of 5Gi in class `replicated`, class `local` without remote
    /// access, both of LINSTOR, and CDI told to leave clones to the driver.
    pub(crate) fn founding() -> Self {
        let replicated = mk_storage_class("replicated").linstor().parameter("layerList", "drbd storage");
        let local = mk_storage_class("local").linstor().waiting();
        Self::empty()
            .with(replicated.parameter("allowRemoteVolumeAccess", "true"))
            .with(local.parameter("allowRemoteVolumeAccess", "false"))
            .with(mk_csi_driver(LINSTOR))
            .with(mk_profile("replicated").set(&["ReadWriteMany"], "Block"))
            .with(mk_profile("local").set(&["ReadWriteOnce"], "Block"))
            .with(golden())
            .with(mk_volume("pv-golden").of_claim("cozy-public", "vm-default-images-ubuntu").csi(LINSTOR))
            .with(mk_data_volume("cozy-public", "vm-default-images-ubuntu").phase("Succeeded"))
            .with(mk_cdi("csi-clone"))
            .with(mk_cdi_config())
    }

    /// The founding cluster without an override: by default CDI then clones by snapshot, and one can be taken.
    pub(crate) fn snapshotting() -> Self {
        Self::founding().with(mk_cdi("")).with(mk_snapshot_class("linstor-snapshots", LINSTOR))
    }

    /// The cluster with one more object, in the place of the one of its kind and name.
    pub(crate) fn with(mut self, object: impl Into<Object>) -> Self {
        let object = object.into();
        let meta = object.meta();
        let mut result = self.without_in(object.kind(), &meta.namespace, &meta.name);
        result.objects.push(object);
        self = result;
        self
    }

    /// The cluster without the objects of that kind and name.
    pub(crate) fn without(mut self, kind: Kind, name: &str) -> Self {
        self.objects.retain(|object| object.kind() != kind || object.meta().name != name);
        self
    }

    fn without_in(mut self, kind: Kind, namespace: &str, name: &str) -> Self {
        self.objects.retain(|object| {
            object.kind() != kind || object.meta().name != name || object.meta().namespace != namespace
        });
        self
    }

    /// What the cluster has.
    pub(crate) fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// What the settings say.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Other settings.
    pub(crate) fn setting(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    /// Another action for a rule.
    pub(crate) fn action(mut self, rule: Rule, action: Action) -> Self {
        self.settings = self.settings.with_action(rule, action);
        self
    }

    /// `onLookupFailure: reject`
    pub(crate) fn rejecting(self) -> Self {
        self.setting(|settings| settings.on_lookup_failure = OnLookupFailure::Reject)
    }

    /// Every lookup of the kind fails.
    pub(crate) fn failing(mut self, kind: Kind, cause: Cause) -> Self {
        self.faults.push((kind, None, Some(cause)));
        self
    }

    /// The lookup of that kind and name fails; of the list, where the name is empty.
    pub(crate) fn failing_at_name(mut self, kind: Kind, name: &str, cause: Cause) -> Self {
        self.faults.push((kind, Some(name.to_owned()), Some(cause)));
        self
    }

    /// The cluster does not know the kind.
    pub(crate) fn not_served(mut self, kind: Kind) -> Self {
        self.faults.push((kind, None, None));
        self
    }

    /// The cluster as a lookup.
    pub(crate) fn lookup(&self) -> Faulty {
        let lookup = Faulty::new(self.objects.iter().cloned());
        self.faults.iter().fold(lookup, |lookup, (kind, name, cause)| match (name, cause) {
            (None, Some(cause)) => lookup.failing(*kind, *cause),
            (Some(name), Some(cause)) => lookup.failing_at_name(*kind, name, *cause),
            (_, None) => lookup.not_served(*kind),
        })
    }

    /// What the policy decides here.
    pub(crate) fn judge(&self, request: &Value) -> Judged {
        Judged::by(&self.settings, &self.lookup(), &request.to_string())
    }

    /// Asserts the whole decision.
    #[track_caller]
    pub(crate) fn decides(&self, request: &Value, expected: &Decision) -> Judged {
        let judged = self.judge(request);
        assert_eq!(judged.decision(), *expected, "{:#?}\n{:?}", judged.verdict, judged.lookups());
        judged
    }
}

/// The golden image of the founding cluster.
pub(crate) fn golden() -> vmdisk_policy::cluster::Claim {
    mk_claim("cozy-public", "vm-default-images-ubuntu")
        .class("replicated")
        .mode("Block")
        .volume("pv-golden")
        .request("5Gi")
        .capacity("5Gi")
        .annotation("cdi.kubevirt.io/storage.contentType", "kubevirt")
}

/// What was decided, and the lookups that it took.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    pub(crate) calls: Vec<Call>,
}

impl Judged {
    /// Judges the text of a request.
    pub(crate) fn by(settings: &Settings, lookup: &Faulty, request: &str) -> Self {
        let verdict = judge(&Json::parse(request.as_bytes()).unwrap(), settings, lookup);
        Self { verdict, calls: lookup.calls() }
    }

    /// The lookups in words, in order.
    pub(crate) fn lookups(&self) -> Vec<String> {
        self.calls.iter().map(ToString::to_string).collect()
    }

    /// The text of the refusal; empty where there is none.
    pub(crate) fn message(&self) -> &str {
        self.verdict.refusal.as_ref().map_or("", |(_, message)| message)
    }

    /// The one warning.
    #[track_caller]
    pub(crate) fn warning(&self) -> &str {
        match self.verdict.warnings.as_slice() {
            [warning] => warning,
            warnings => panic!("one warning, not {warnings:?}"),
        }
    }

    /// The decision without its texts.
    pub(crate) fn decision(&self) -> Decision {
        Decision {
            code: self.verdict.refusal.as_ref().map(|(code, _)| *code),
            refused: self.message().lines().map(reason).collect(),
            warned: self.verdict.warnings.iter().map(|warning| reason(warning)).collect(),
            annotations: self.verdict.annotations.iter().map(|(key, text)| ((*key).to_owned(), text.clone())).collect(),
        }
    }
}

/// The reason word that a text begins with.
fn reason(text: &str) -> String {
    let word = text.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map(|(word, _)| word);
    word.unwrap_or_else(|| panic!("a reason word before {text:?}")).to_owned()
}

/// A decision without its texts: what a test compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decision {
    code: Option<u16>,
    refused: Vec<String>,
    warned: Vec<String>,
    annotations: Vec<(String, String)>,
}

/// Accepted in silence, without annotations.
pub(crate) fn accepted() -> Decision {
    Decision { code: None, refused: Vec::new(), warned: Vec::new(), annotations: Vec::new() }
}

/// Refused for these reasons, in this order.
pub(crate) fn refused(reasons: &[&str]) -> Decision {
    let refused: Vec<String> = reasons.iter().map(|reason| (*reason).to_owned()).collect();
    Decision { code: Some(403), refused, ..accepted() }.noted()
}

/// Refused as malformed.
pub(crate) fn malformed() -> Decision {
    Decision { code: Some(400), refused: vec!["InvalidRequest".to_owned()], ..accepted() }
}

impl Decision {
    /// With these warnings after those that it has.
    pub(crate) fn warns(mut self, reasons: &[&str]) -> Self {
        self.warned.extend(reasons.iter().map(|reason| (*reason).to_owned()));
        self.noted()
    }

    /// With another code.
    pub(crate) fn code(mut self, code: u16) -> Self {
        self.code = Some(code);
        self
    }

    /// With the annotation `clone-strategy`.
    pub(crate) fn strategy(self, strategy: &str) -> Self {
        self.annotated("clone-strategy", strategy)
    }

    /// A copy that CDI falls back to.
    pub(crate) fn fallback(self, reason: &str) -> Self {
        self.strategy("copy").annotated("clone-fallback-reason", reason)
    }

    /// A clone that fails.
    pub(crate) fn fails(self, error: &str) -> Self {
        self.strategy("fails").annotated("clone-error", error)
    }

    /// With an annotation.
    pub(crate) fn annotated(mut self, key: &str, value: &str) -> Self {
        self.annotations.push((key.to_owned(), value.to_owned()));
        self.annotations.sort();
        self
    }

    /// Of an UPDATE, which is never annotated.
    pub(crate) fn of_update(mut self) -> Self {
        self.annotations.clear();
        self
    }

    /// With the annotation `reasons` of the reasons that it has.
    fn noted(mut self) -> Self {
        self.annotations.retain(|(key, _)| key != "reasons");
        let mut reasons: Vec<&str> = Vec::new();
        for reason in self.refused.iter().chain(&self.warned) {
            if !reasons.contains(&reason.as_str()) {
                reasons.push(reason);
            }
        }
        let reasons = reasons.join(",");
        self.annotated("reasons", &reasons)
    }

    /// The code of a refusal.
    pub(crate) fn refusal_code(&self) -> Option<u16> {
        self.code
    }

    /// The reasons of the refusal.
    pub(crate) fn refusals(&self) -> &[String] {
        &self.refused
    }

    /// The reasons of the warnings.
    pub(crate) fn warnings(&self) -> &[String] {
        &self.warned
    }
}
