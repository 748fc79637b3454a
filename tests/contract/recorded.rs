//! The refusals beside what CDI itself did with its recorded cases (`tests/vectors/cdi`).
//!
//! CDI does not look at the parameters of a class, so its verdict is the same where no class has remote access and
//! every driver is one of LINSTOR's: then whatever it leaves to a driver, into another class, is to be refused.

use serde_json::json;
use vmdisk_policy::settings::Settings;

use crate::cdi::{self, Vector};
use crate::common::*;

/// A recorded case without remote access, and what the policy decides of it.
struct Recorded {
    vector: Vector,
    judged: Judged,
}

impl Recorded {
    fn of(mut vector: Vector) -> Self {
        let mut settings = Settings::default();
        for class in vector.objects.iter_mut().filter(|object| object["kind"] == "StorageClass") {
            class["parameters"] = json!({"linstor.csi.linbit.com/allowRemoteVolumeAccess": "false"});
            settings.linstor_drivers.push(class["provisioner"].as_str().unwrap().to_owned().into());
        }
        let mut object = vector.data_volume.clone();
        object["apiVersion"] = json!("cdi.kubevirt.io/v1beta1");
        object["kind"] = json!("DataVolume");
        let request = request("CREATE", &object, None).to_string();
        let judged = Judged::by(&settings, &Faulty::of(vector.cluster()), &request);
        Self { vector, judged }
    }

    /// Whether the decision has that reason, in a refusal or (an own disk) in a warning.
    fn has(&self, reason: &str) -> bool {
        let decision = self.judged.decision();
        decision.refusals().iter().chain(decision.warnings()).any(|has| has == reason)
    }

    /// Several default classes are not compared.
    fn is_ambiguous(&self) -> bool {
        self.has("AmbiguousDefaultClass")
    }

    /// With this label CDI completes the claim when it is created, with another default class and volume mode.
    fn is_labelled(&self) -> bool {
        self.vector.data_volume["metadata"]["labels"]["cdi.kubevirt.io/applyStorageProfile"] == "true"
    }

    /// Whether the source claim names a class, another one than CDI's target, and that one can grow.
    fn changes_class(&self) -> bool {
        let expected = &self.vector.expected;
        let source = self.vector.of_kind("PersistentVolumeClaim").find(|claim| {
            ["namespace", "name"].into_iter().all(|key| claim["metadata"][key] == expected["source"][key])
        });
        let source_class = source.and_then(|claim| claim["spec"]["storageClassName"].as_str()).unwrap_or_default();
        let target_class = &expected["target"]["storageClassName"];
        let expands = self
            .vector
            .of_kind("StorageClass")
            .any(|class| class["metadata"]["name"] == *target_class && class["allowVolumeExpansion"] == true);
        expands && !source_class.is_empty() && target_class != source_class
    }

    /// Whether the volume that the source names has no `claimRef`: then its driver counts beside that of the class.
    fn has_unclaimed_volume(&self) -> bool {
        self.vector.of_kind("PersistentVolume").any(|volume| volume["spec"]["claimRef"].is_null())
    }
}

/// The strategy that CDI chose and planned, with a claim as source.
fn strategy(vector: &Vector) -> Option<&str> {
    let is_planned = vector.id.starts_with("pvc-") && vector.expected["outcome"] == "strategy";
    if is_planned { vector.expected["strategy"].as_str() } else { None }
}

impl std::fmt::Display for Recorded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { vector, judged } = self;
        writeln!(f, "{}: CDI: {}\n{}\n{:?}", vector.id, vector.expected, vector.data_volume, judged.verdict)
    }
}

/// The recorded cases of a kind that agree by contract: at least so many.
#[track_caller]
fn recorded(at_least: usize, is_meant: impl Fn(&Vector) -> bool) -> impl Iterator<Item = Recorded> {
    let vectors = cdi::vectors().into_iter().filter(|vector| vector.deviation().is_none() && is_meant(vector));
    let vectors: Vec<Vector> = vectors.collect();
    assert!(vectors.len() >= at_least, "{} cases", vectors.len());
    vectors.into_iter().map(Recorded::of)
}

#[track_caller]
fn none_of(wrong: impl Iterator<Item = Recorded>) {
    let wrong: Vec<String> = wrong.map(|recorded| recorded.to_string()).collect();
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_clone_that_cdi_chose_to_copy_is_refused_for_its_remote_access() {
    let copied = recorded(50, |vector| strategy(vector) == Some("copy"));
    none_of(copied.filter(|case| case.has("RemoteVolumeAccess")));
}

#[test]
fn whatever_cdi_leaves_to_the_driver_into_another_class_is_refused_without_remote_access() {
    let left = recorded(50, |vector| matches!(strategy(vector), Some("csi-clone" | "snapshot")));
    let left: Vec<_> = left.filter(Recorded::changes_class).collect();
    assert!(left.len() >= 5, "{} cases", left.len());
    none_of(left.into_iter().filter(|case| {
        let excepted = case.is_ambiguous() || case.is_labelled() || case.has_unclaimed_volume();
        !case.has("RemoteVolumeAccess") && !excepted
    }));
}

#[test]
fn no_clone_that_cdi_planned_is_refused_for_a_missing_snapshot_class() {
    let planned = recorded(100, |vector| strategy(vector).is_some());
    none_of(planned.filter(|case| case.has("SnapshotClassMissing")));
}

#[test]
fn where_cdi_failed_to_choose_for_a_missing_snapshot_class_it_is_refused() {
    let failed = recorded(10, |vector| {
        vector.expected["stage"] == "choose" && vector.expected["errorClass"] == "SnapshotClassNotFound"
    });
    none_of(
        failed
            .filter(|case| !case.is_ambiguous() && !case.has("SnapshotClassMissing") && !case.has("SnapshotPlanFails")),
    );
}
