//! What holds for every cluster and every DataVolume, the absurd ones included.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use proptest::prelude::*;
use vmdisk_policy::clone::{Outcome, Plan, annotations, plan};
use vmdisk_policy::cluster::{
    Cdi, CdiConfig, Claim, ClaimPropertySet, Cluster, CsiDriver, DataSource, DataSourceSource, FilesystemOverhead,
    Meta, Object, ObjectRef, Objects, StorageClass, StorageProfile, Volume, VolumeSnapshot, VolumeSnapshotClass,
    VolumeSnapshotContent, VolumeSnapshotStatus,
};
use vmdisk_policy::quantity::Quantity;
use vmdisk_policy::subject::{ClaimSource, ContentType, DataVolume, SnapshotSource, Source, SpecForm, TargetSpec};

/// What usually makes sense stands several times, so that most clusters get far enough to be interesting.
const NAMES: [&str; 8] = ["a", "b", "a", "b", "a", "b", "gone", ""];
const LINSTOR: &str = "linstor.csi.linbit.com";
const DRIVERS: [&str; 6] = [LINSTOR, LINSTOR, LINSTOR, LINSTOR, "rbd.csi.ceph.com", "kubernetes.io/aws-ebs"];
const STRATEGIES: [&str; 6] = ["snapshot", "csi-clone", "snapshot", "copy", "bogus", ""];
const SIZES: [&str; 10] =
    ["10Gi", "10Gi", "10Gi", "5Gi", "20Gi", "10737418241", "0", "512Ki", "1.5", "9223372036854775807"];
const MODES: [&str; 5] = ["Block", "Block", "Filesystem", "Filesystem", "odd"];
const ACCESS: [&str; 3] = ["ReadWriteMany", "ReadWriteOnce", "ReadOnlyMany"];
const VERSIONS: [&str; 4] = ["v1.66.0", "v1.65.0", "odd", ""];

/// Choices, drawn from random bytes; the first of each once they run out.
struct Dice<'b>(std::slice::Iter<'b, u8>);

impl Dice<'_> {
    fn below(&mut self, sides: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or_default()) % sides
    }

    fn text(&mut self, of: &[&str]) -> String {
        of[self.below(of.len())].to_owned()
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 1
    }

    fn maybe<T>(&mut self, of: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.below(8) == 0 { None } else { Some(of(self)) }
    }

    fn size(&mut self) -> Option<Quantity> {
        self.maybe(|dice| Quantity::parse(&dice.text(&SIZES)).unwrap())
    }

    fn modes(&mut self) -> Vec<String> {
        (0..self.below(4)).map(|_| self.text(&ACCESS)).collect()
    }

    fn annotations(&mut self, of: &[(&str, &[&str])]) -> Vec<(String, String)> {
        let mut annotations = Vec::new();
        for (key, values) in of {
            if self.below(8) == 7 {
                annotations.push(((*key).to_owned(), self.text(values)));
            }
        }
        annotations
    }

    fn reference(&mut self) -> Option<ObjectRef> {
        let namespaces = ["a", "images", ""];
        (self.below(3) != 0).then(|| ObjectRef { namespace: self.text(&namespaces), name: self.text(&NAMES) })
    }

    fn data_source_source(&mut self) -> DataSourceSource {
        DataSourceSource { pvc: self.reference(), snapshot: self.reference(), data_source: self.reference() }
    }

    /// Objects of every kind under the names that refer to each other, each there or not.
    fn objects(&mut self) -> Vec<Object> {
        let mut objects = Vec::new();
        for name in ["a", "b"] {
            self.cluster_scoped(name, &mut objects);
            for namespace in ["a", "images"] {
                self.namespaced(namespace, name, &mut objects);
            }
        }
        for driver in [LINSTOR, "rbd.csi.ceph.com"] {
            objects.extend(self.maybe(|_| Object::from(CsiDriver { meta: Meta::new("", driver) })));
        }
        objects.extend(self.maybe(|dice| {
            Object::from(Cdi {
                meta: Meta::new("", "cdi"),
                clone_strategy_override: dice.yes().then(|| dice.text(&STRATEGIES)),
                observed_version: dice.maybe(|dice| dice.text(&VERSIONS)),
            })
        }));
        objects.extend(self.maybe(|dice| {
            Object::from(CdiConfig {
                meta: Meta::new("", "config"),
                feature_gates: dice.maybe(|_| "WebhookPvcRendering".to_owned()).into_iter().collect(),
                webhook_pvc_rendering: dice.maybe(|dice| dice.text(&["Enabled", "Disabled"])),
                filesystem_overhead: dice.maybe(|dice| FilesystemOverhead {
                    global: dice.maybe(|dice| dice.text(&["0.06", "0", "NaN", "1e400", "-7", ""])),
                    storage_class: vec![(dice.text(&NAMES), dice.text(&["0.1", "1"]))],
                }),
            })
        }));
        objects
    }

    fn cluster_scoped(&mut self, name: &str, objects: &mut Vec<Object>) {
        let meta = Meta::new("", name);
        objects.extend(self.maybe(|dice| {
            let annotations = dice.annotations(&[
                ("storageclass.kubevirt.io/is-default-virt-class", &["true", "false"]),
                ("storageclass.kubernetes.io/is-default-class", &["true", "false"]),
            ]);
            Object::from(StorageClass {
                meta: Meta { annotations, ..meta.clone() },
                provisioner: dice.text(&DRIVERS),
                allow_volume_expansion: dice.yes(),
                ..StorageClass::default()
            })
        }));
        objects.extend(self.maybe(|dice| {
            let annotations = dice.annotations(&[("cdi.kubevirt.io/minimumSupportedPvcSize", &["7Gi", "odd"])]);
            Object::from(StorageProfile {
                meta: Meta { annotations, ..meta.clone() },
                claim_property_sets: (0..dice.below(4))
                    .map(|_| ClaimPropertySet {
                        access_modes: dice.modes(),
                        volume_mode: dice.maybe(|dice| dice.text(&MODES)),
                    })
                    .collect(),
                clone_strategy: dice.yes().then(|| dice.text(&STRATEGIES)),
                snapshot_class: dice.yes().then(|| dice.text(&NAMES)),
            })
        }));
        objects.extend(self.maybe(|dice| {
            let namespaces = ["images", "images", "images", "a"];
            let claim_ref = dice.yes().then(|| (dice.text(&namespaces), dice.text(&[name, name, name, "b"])));
            let csi_driver = dice.maybe(|dice| dice.text(&DRIVERS));
            Object::from(Volume { meta: meta.clone(), claim_ref, csi_driver })
        }));
        objects.extend(self.maybe(|dice| {
            let annotations = dice.annotations(&[("snapshot.storage.kubernetes.io/is-default-class", &["true"])]);
            let meta = Meta { annotations, ..meta.clone() };
            Object::from(VolumeSnapshotClass { meta, driver: dice.text(&DRIVERS) })
        }));
        objects.extend(self.maybe(|dice| {
            let source_volume_mode = dice.maybe(|dice| dice.text(&MODES));
            Object::from(VolumeSnapshotContent { meta: meta.clone(), driver: dice.text(&DRIVERS), source_volume_mode })
        }));
    }

    fn namespaced(&mut self, namespace: &str, name: &str, objects: &mut Vec<Object>) {
        let meta = Meta::new(namespace, name);
        objects.extend(self.maybe(|dice| {
            let annotations = dice.annotations(&[
                ("cdi.kubevirt.io/storage.contentType", &["kubevirt", "archive", "odd"]),
                ("cdi.Kubervirt.io/virtualSize", &["1048576", "-1", "99999999999999999999", "odd"]),
                ("cdi.Kubervirt.io/sourceCapacity", &["5Gi", "10Gi", "odd"]),
            ]);
            Object::from(Claim {
                meta: Meta { annotations, ..meta.clone() },
                storage_class_name: dice.maybe(|dice| dice.text(&NAMES)),
                volume_mode: dice.maybe(|dice| dice.text(&MODES)),
                volume_name: dice.maybe(|dice| dice.text(&[name, name, name, "b"])),
                request: dice.size(),
                capacity: dice.size(),
            })
        }));
        objects.extend(self.maybe(|dice| {
            let annotations = dice.annotations(&[("cdi.kubevirt.io/storage.import.sourceVolumeMode", &MODES)]);
            Object::from(VolumeSnapshot {
                meta: Meta { annotations, ..meta.clone() },
                volume_snapshot_class_name: dice.maybe(|dice| dice.text(&NAMES)),
                persistent_volume_claim_name: None,
                status: dice.maybe(|dice| VolumeSnapshotStatus {
                    bound_volume_snapshot_content_name: dice.maybe(|dice| dice.text(&NAMES)),
                    has_error: dice.below(16) == 15,
                    restore_size: dice.size(),
                }),
            })
        }));
        objects.extend(self.maybe(|dice| {
            let (spec_source, status_source) = (dice.data_source_source(), dice.data_source_source());
            Object::from(DataSource { meta: meta.clone(), spec_source, status_source })
        }));
    }

    fn data_volume(&mut self) -> DataVolume {
        let (namespace, name) = (self.text(&["images", "images", "a"]), self.text(&NAMES));
        DataVolume {
            namespace: "a".to_owned(),
            name: "disk".to_owned(),
            annotations: self.annotations(&[
                ("cdi.kubevirt.io/storage.usePopulator", &["true", "0", "maybe"]),
                ("cdi.kubevirt.io/cloneType", &STRATEGIES),
                ("cdi.kubevirt.io/permissiveClone", &["true", ""]),
                ("cdi.kubevirt.io/storage.contentType", &["kubevirt", "archive"]),
            ]),
            apply_storage_profile: self.below(4) == 3,
            content_type: if self.below(16) == 15 { ContentType::Archive } else { ContentType::Kubevirt },
            source: match self.below(8) {
                0..=3 => Source::Claim(ClaimSource { namespace, name }),
                4 | 5 => Source::Snapshot(SnapshotSource { namespace, name }),
                6 => Source::DataSource { namespace, name },
                _ => Source::Import,
            },
            target: (self.below(32) != 31).then(|| TargetSpec {
                form: if self.below(3) == 0 { SpecForm::Pvc } else { SpecForm::Storage },
                storage_class_name: self.maybe(|dice| dice.text(&NAMES)),
                access_modes: self.modes(),
                volume_mode: self.maybe(|dice| dice.text(&MODES)),
                request: self.size(),
            }),
            ..DataVolume::default()
        }
    }
}

fn drawn(bytes: &[u8]) -> (DataVolume, Vec<Object>) {
    let mut dice = Dice(bytes.iter());
    (dice.data_volume(), dice.objects())
}

fn planned(dv: &DataVolume, objects: impl IntoIterator<Item = Object>) -> (Plan, usize) {
    let objects: Objects = objects.into_iter().collect();
    let cluster = Cluster::new(&objects);
    let plan = plan(dv, &cluster, "cdi");
    (plan, cluster.lookups())
}

/// Objects that nothing refers to.
fn unrelated() -> Vec<Object> {
    let meta = || Meta::new("", "unrelated");
    vec![
        StorageClass { meta: meta(), provisioner: "unrelated".to_owned(), ..StorageClass::default() }.into(),
        StorageProfile { meta: meta(), clone_strategy: Some("copy".to_owned()), ..StorageProfile::default() }.into(),
        VolumeSnapshotClass { meta: meta(), driver: "unrelated".to_owned() }.into(),
        Volume { meta: meta(), claim_ref: Some(("a".to_owned(), "a".to_owned())), csi_driver: None }.into(),
        Claim { meta: Meta::new("unrelated", "a"), ..Claim::default() }.into(),
        Cdi { meta: meta(), clone_strategy_override: Some("copy".to_owned()), observed_version: None }.into(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_never_panics_and_stays_within_its_lookups(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let (dv, objects) = drawn(&bytes);
        let (plan, lookups) = planned(&dv, objects);
        prop_assert!(lookups <= 14, "{lookups} lookups");
        prop_assert_eq!(annotations(&plan).is_empty(), plan.outcome == Outcome::Nothing);
        prop_assert!(!matches!(plan.outcome, Outcome::Unknown(_)), "nothing failed here");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_objects_never_matters(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        order in prop::collection::vec(any::<u32>(), 100),
    ) {
        let (dv, objects) = drawn(&bytes);
        let mut shuffled: Vec<(u32, Object)> = order.into_iter().cycle().zip(objects.iter().cloned()).collect();
        shuffled.sort_by_key(|(place, _)| *place);
        let (shuffled, _) = planned(&dv, shuffled.into_iter().map(|(_, object)| object));
        prop_assert_eq!(planned(&dv, objects).0, shuffled);
    }

    #[test]
    fn an_unrelated_object_never_changes_a_plan(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let (dv, objects) = drawn(&bytes);
        let more: Vec<Object> = objects.iter().cloned().chain(unrelated()).collect();
        prop_assert_eq!(planned(&dv, objects).0, planned(&dv, more).0);
    }
}
