//! Clusters and requests out of small alphabets, so that everything meets everything.
//!
//! A [`Case`] is plain data: the oracle reads it, and [`Case::world`] and [`Case::request`] make objects and a request
//! of it.

use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::common::*;

/// The names that a class can have. `gone` never exists.
pub(super) const CLASSES: [&str; 3] = ["local", "other", "replicated"];

/// A StorageClass that exists.
#[derive(Debug, Clone)]
pub(super) struct Class {
    pub(super) name: &'static str,
    pub(super) provisioner: &'static str,
    pub(super) access: Access,
    pub(super) expands: bool,
    waits: bool,
    pub(super) virt_default: &'static str,
    pub(super) kubernetes_default: &'static str,
    pub(super) created: &'static str,
}

/// Parameters of a class, and whether every node may attach its volumes; `None`: cannot be told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access {
    parameters: &'static [(&'static str, &'static str)],
    pub(super) anywhere: Option<bool>,
}

const ACCESS: &[Access] = &[
    Access { parameters: &[("allowRemoteVolumeAccess", "false")], anywhere: Some(false) },
    Access { parameters: &[("layerList", "storage")], anywhere: Some(false) },
    Access { parameters: &[("allowRemoteVolumeAccess", "- fromSame: [zone]")], anywhere: Some(false) },
    Access { parameters: &[("allowRemoteVolumeAccess", "yes")], anywhere: Some(false) },
    Access { parameters: &[("allowRemoteVolumeAccess", "true")], anywhere: Some(true) },
    Access { parameters: &[("layerList", "drbd storage")], anywhere: Some(true) },
    Access { parameters: &[], anywhere: Some(true) },
    Access { parameters: &[("allowRemoteVolumeAccess", "true"), ("AllowRemoteVolumeAccess", "false")], anywhere: None },
];

#[derive(Debug, Clone)]
pub(super) struct Profile {
    pub(super) class: &'static str,
    pub(super) sets: Vec<(&'static [&'static str], &'static str)>,
    pub(super) strategy: Option<&'static str>,
    pub(super) snapshot_class: Option<&'static str>,
    minimum: Option<&'static str>,
}

#[derive(Debug, Clone)]
pub(super) struct SnapshotClass {
    pub(super) name: &'static str,
    pub(super) driver: &'static str,
    is_default: bool,
}

/// The claim that is cloned.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) class: Option<&'static str>,
    pub(super) mode: &'static str,
    pub(super) is_bound: bool,
    request: Option<&'static str>,
    capacity: Option<&'static str>,
    annotations: Vec<(&'static str, &'static str)>,
}

/// The volume that the source names.
#[derive(Debug, Clone)]
pub(super) struct Pv {
    /// Whether its `claimRef` names the source; `None`: it has none.
    pub(super) matches: Option<bool>,
    pub(super) csi: Option<&'static str>,
}

/// How the request names the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Image,
    Disk,
    Pvc,
    GoldenClaim,
    OwnClaim,
    DataSource,
    LinkedDataSource,
    MissingDataSource,
    Snapshot,
}

/// What the request asks for.
#[derive(Debug, Clone)]
pub(super) struct Ask {
    pub(super) by: By,
    pub(super) class: Option<&'static str>,
    pub(super) is_pvc_form: bool,
    pub(super) access_modes: &'static [&'static str],
    pub(super) mode: Option<&'static str>,
    pub(super) is_archive: bool,
    pub(super) clone_type: Option<&'static str>,
    pub(super) use_populator: Option<&'static str>,
    pub(super) size: Option<&'static str>,
    is_permissive: bool,
    is_immediate: bool,
}

/// A cluster and a request.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) classes: Vec<Class>,
    pub(super) profiles: Vec<Profile>,
    pub(super) snapshot_classes: Vec<SnapshotClass>,
    pub(super) cdi: Option<Option<&'static str>>,
    config: Option<bool>,
    drivers: Vec<&'static str>,
    pub(super) source: Option<Source>,
    pub(super) pv: Option<Pv>,
    phase: Option<&'static str>,
    /// Driver and mode of the content of the snapshot of the source, where there is one.
    snapshot: Option<Option<(&'static str, &'static str)>>,
    pub(super) claim_exists: bool,
    pub(super) data_volume_exists: bool,
    pub(super) ask: Ask,
}

fn driver() -> impl Strategy<Value = &'static str> {
    prop_oneof![20 => Just(LINSTOR), 2 => Just(CEPH), 1 => Just("kubernetes.io/no-provisioner")]
}

fn is_default() -> impl Strategy<Value = &'static str> {
    prop_oneof![6 => Just(""), 2 => Just("true"), 1 => Just("false")]
}

fn class(name: &'static str) -> BoxedStrategy<Option<Class>> {
    let fields = (
        driver(),
        prop_oneof![3 => Just(ACCESS[0]), 1 => Just(ACCESS[7]), 4 => select(ACCESS)],
        proptest::bool::weighted(0.9),
        any::<bool>(),
        is_default(),
        is_default(),
        select(&["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"][..]),
    );
    weighted(0.95, fields)
        .prop_map(move |fields| {
            let (provisioner, access, expands, waits, virt_default, kubernetes_default, created) = fields?;
            Some(Class { name, provisioner, access, expands, waits, virt_default, kubernetes_default, created })
        })
        .boxed()
}

const MODES: &[&[&str]] =
    &[&["ReadWriteOnce"], &["ReadWriteMany"], &["ReadWriteMany", "ReadWriteOnce"], &["ReadOnlyMany"], &[]];

fn strategy() -> impl Strategy<Value = Option<&'static str>> {
    prop_oneof![
        4 => Just(None), 4 => Just(Some("csi-clone")), 6 => Just(Some("snapshot")), 2 => Just(Some("copy")),
        1 => Just(Some("bogus")),
    ]
}

fn profile(class: &'static str) -> BoxedStrategy<Option<Profile>> {
    let mode = prop_oneof![10 => Just("Block"), 2 => Just("Filesystem"), 1 => Just("")];
    let set = (prop_oneof![8 => Just(MODES[0]), 2 => select(MODES)], mode);
    let snapshot_class =
        prop_oneof![3 => Just(None), 2 => Just(Some("gone")), 2 => Just(Some("snap-a")), 1 => Just(Some("snap-b"))];
    let fields = (
        proptest::collection::vec(set, 1..3),
        strategy(),
        snapshot_class,
        weighted(0.1, Just("20Gi")),
        proptest::bool::weighted(0.05),
    );
    weighted(0.95, fields)
        .prop_map(move |fields| {
            let (mut sets, strategy, snapshot_class, minimum, is_empty) = fields?;
            if is_empty {
                sets.clear();
            }
            Some(Profile { class, sets, strategy, snapshot_class, minimum })
        })
        .boxed()
}

fn snapshot_class(name: &'static str) -> BoxedStrategy<Option<SnapshotClass>> {
    weighted(0.7, (driver(), any::<bool>()))
        .prop_map(move |fields| fields.map(|(driver, is_default)| SnapshotClass { name, driver, is_default }))
        .boxed()
}

fn source() -> BoxedStrategy<Option<Source>> {
    let class = prop_oneof![
        10 => Just(Some("replicated")), 2 => Just(Some("local")), 2 => Just(Some("other")), 1 => Just(Some("gone")),
        1 => Just(Some("")), 1 => Just(None),
    ];
    let mode = prop_oneof![10 => Just("Block"), 2 => Just("Filesystem"), 1 => Just("")];
    let size = || prop_oneof![1 => Just(None), 6 => Just(Some("5Gi")), 1 => Just(Some("100Gi"))];
    let annotations = proptest::collection::vec(
        select(
            &[
                ("cdi.kubevirt.io/storage.contentType", "kubevirt"),
                ("cdi.kubevirt.io/storage.contentType", "archive"),
                ("cdi.Kubervirt.io/virtualSize", "1073741824"),
                ("cdi.Kubervirt.io/sourceCapacity", "5Gi"),
            ][..],
        ),
        0..3,
    );
    weighted(0.97, (class, mode, proptest::bool::weighted(0.8), size(), size(), annotations))
        .prop_map(|fields| {
            let (class, mode, is_bound, request, capacity, annotations) = fields?;
            Some(Source { class, mode, is_bound, request, capacity, annotations })
        })
        .boxed()
}

fn pv() -> BoxedStrategy<Option<Pv>> {
    let matches = prop_oneof![6 => Just(Some(true)), 1 => Just(Some(false)), 1 => Just(None)];
    weighted(0.9, (matches, weighted(0.85, driver())))
        .prop_map(|fields| fields.map(|(matches, csi)| Pv { matches, csi }))
        .boxed()
}

fn ask() -> BoxedStrategy<Ask> {
    let by = prop_oneof![
        4 => Just(By::Image), 1 => Just(By::Disk), 1 => Just(By::Pvc), 4 => Just(By::GoldenClaim),
        1 => Just(By::OwnClaim), 1 => Just(By::DataSource), 1 => Just(By::LinkedDataSource),
    ];
    let by = prop_oneof![30 => by, 1 => Just(By::MissingDataSource), 3 => Just(By::Snapshot)];
    let class = prop_oneof![
        10 => Just(Some("local")), 2 => Just(Some("other")), 2 => Just(Some("replicated")), 1 => Just(Some("gone")),
        2 => Just(Some("")), 8 => Just(None),
    ];
    let modes = prop_oneof![5 => Just(MODES[4]), 3 => select(MODES)];
    let mode = prop_oneof![10 => Just(None), 5 => Just(Some("Block")), 1 => Just(Some("Filesystem"))];
    let clone_type = weighted(0.1, select(&["csi-clone", "snapshot", "copy", "", "bogus"][..]));
    let use_populator = weighted(0.1, select(&["true", "T", "false", "0", "no", ""][..]));
    let size = prop_oneof![1 => Just(None), 6 => Just(Some("10Gi")), 1 => Just(Some("1Gi")), 1 => Just(Some("1"))];
    let flags = (proptest::bool::weighted(0.25), proptest::bool::weighted(0.1), any::<bool>(), any::<bool>());
    (by, class, modes, mode, clone_type, use_populator, size, flags)
        .prop_map(|(by, class, access_modes, mode, clone_type, use_populator, size, flags)| {
            let (is_pvc_form, is_archive, is_permissive, is_immediate) = flags;
            Ask {
                by,
                class,
                is_pvc_form,
                access_modes,
                mode,
                is_archive,
                clone_type,
                use_populator,
                size,
                is_permissive,
                is_immediate,
            }
        })
        .boxed()
}

/// Any case.
pub(super) fn case() -> BoxedStrategy<Case> {
    let classes = (class("local"), class("other"), class("replicated"));
    let profiles = (profile("local"), profile("other"), profile("replicated"), weighted(0.2, profile("gone")));
    // Mostly all profiles name the same class or none, as CDI itself fills them in.
    let named_by_all = weighted(0.3, prop_oneof![2 => Just("gone"), 1 => Just("snap-a")]);
    let snapshot_classes = (snapshot_class("snap-a"), snapshot_class("snap-b"), named_by_all);
    let config = (weighted(0.97, strategy()), weighted(0.9, any::<bool>()));
    let drivers = (proptest::bool::weighted(0.9), proptest::bool::weighted(0.9));
    let phase = weighted(0.3, select(&["Succeeded", "Failed", "ImportInProgress"][..]));
    let snapshot = weighted(0.9, weighted(0.9, (driver(), select(&["Block", "Filesystem", ""][..]))));
    let exists = (proptest::bool::weighted(0.05), proptest::bool::weighted(0.05));
    (classes, profiles, snapshot_classes, config, drivers, (source(), pv(), phase, snapshot), exists, ask())
        .prop_map(
            |(
                classes,
                profiles,
                snapshot_classes,
                (cdi, config),
                drivers,
                (source, pv, phase, snapshot),
                exists,
                ask,
            )| {
                let profiles = [profiles.0, profiles.1, profiles.2, profiles.3.flatten()].into_iter().flatten();
                let named = |profile: Profile| Profile {
                    snapshot_class: snapshot_classes.2.or(profile.snapshot_class),
                    ..profile
                };
                Case {
                    classes: [classes.0, classes.1, classes.2].into_iter().flatten().collect(),
                    profiles: profiles.map(named).collect(),
                    snapshot_classes: [snapshot_classes.0, snapshot_classes.1].into_iter().flatten().collect(),
                    cdi,
                    config,
                    drivers: [(drivers.0, LINSTOR), (drivers.1, CEPH)]
                        .into_iter()
                        .filter_map(|(is_there, driver)| is_there.then_some(driver))
                        .collect(),
                    source,
                    pv,
                    phase,
                    snapshot,
                    claim_exists: exists.0,
                    data_volume_exists: exists.1,
                    ask,
                }
            },
        )
        .boxed()
}

impl Case {
    /// Whether the request is for a VMDisk.
    pub(super) fn is_vm_disk(&self) -> bool {
        matches!(self.ask.by, By::Image | By::Disk | By::Pvc)
    }

    /// Whether the source is a disk of one's own.
    pub(super) fn is_own_disk(&self) -> bool {
        matches!(self.ask.by, By::Disk | By::Pvc | By::OwnClaim)
    }

    /// Where the source is.
    fn source_at(&self) -> (&'static str, &'static str) {
        if self.is_own_disk() { (NAMESPACE, "vm-disk-source") } else { ("cozy-public", "vm-default-images-source") }
    }

    /// The cluster.
    pub(super) fn world(&self) -> World {
        let mut world = World::empty();
        for class in &self.classes {
            let mut object = mk_storage_class(class.name).provisioner(class.provisioner).expanding(class.expands);
            object = class.access.parameters.iter().fold(object, |object, (name, value)| object.parameter(name, value));
            for (key, value) in [(VIRT_DEFAULT, class.virt_default), (KUBERNETES_DEFAULT, class.kubernetes_default)] {
                if !value.is_empty() {
                    object = object.annotation(key, value);
                }
            }
            object = object.created(class.created);
            world = world.with(if class.waits { object.waiting() } else { object });
        }
        for profile in &self.profiles {
            let mut object = profile
                .sets
                .iter()
                .fold(mk_profile(profile.class), |object, (access_modes, mode)| object.set(access_modes, mode));
            object.clone_strategy = profile.strategy.map(str::to_owned);
            object.snapshot_class = profile.snapshot_class.map(str::to_owned);
            if let Some(minimum) = profile.minimum {
                object = object.annotation("cdi.kubevirt.io/minimumSupportedPvcSize", minimum);
            }
            world = world.with(object);
        }
        for class in &self.snapshot_classes {
            let object = mk_snapshot_class(class.name, class.driver);
            world = world.with(if class.is_default {
                object.annotation("snapshot.storage.kubernetes.io/is-default-class", "true")
            } else {
                object
            });
        }
        if let Some(strategy) = self.cdi {
            world = world.with(mk_cdi(strategy.unwrap_or_default()));
        }
        if let Some(honors) = self.config {
            let mut config = mk_cdi_config();
            config.feature_gates.retain(|_| honors);
            world = world.with(config);
        }
        for driver in &self.drivers {
            world = world.with(mk_csi_driver(driver));
        }
        self.with_source(world)
    }

    fn with_source(&self, mut world: World) -> World {
        let (namespace, name) = self.source_at();
        if let Some(source) = &self.source {
            let mut claim = mk_claim(namespace, name).mode(source.mode);
            claim.storage_class_name = source.class.map(str::to_owned);
            claim.volume_name = source.is_bound.then(|| "pv-source".to_owned());
            claim = source.request.map_or(claim.clone(), |request| claim.request(request));
            claim = source.capacity.map_or(claim.clone(), |capacity| claim.capacity(capacity));
            claim = source.annotations.iter().fold(claim, |claim, (key, value)| claim.annotation(key, value));
            world = world.with(claim);
        }
        if let Some(pv) = &self.pv {
            let mut volume = mk_volume("pv-source");
            volume.csi_driver = pv.csi.map(str::to_owned);
            world = world.with(match pv.matches {
                None => volume,
                Some(true) => volume.of_claim(namespace, name),
                Some(false) => volume.of_claim(namespace, "another"),
            });
        }
        if let Some(phase) = self.phase {
            world = world.with(mk_data_volume(namespace, name).phase(phase).restarts(3, true));
        }
        let source = mk_data_source("cozy-public", "source").names_claim(namespace, name);
        let link = mk_data_source("cozy-public", "link").links_to("cozy-public", "source");
        world = world.with(source).with(link.status_claim(namespace, name));
        if let Some(content) = self.snapshot {
            world = world.with(mk_snapshot(namespace, "source", name));
            if let Some((driver, mode)) = content {
                world = world.with(mk_snapshot_content("source-content", driver, mode));
            }
        }
        if self.claim_exists {
            world = world.with(mk_claim(NAMESPACE, "vm-disk-new"));
        }
        if self.data_volume_exists {
            world = world.with(mk_data_volume(NAMESPACE, "vm-disk-new"));
        }
        world
    }

    /// What is asked for, with the size as it is given here.
    pub(super) fn manifest(&self, size: Value) -> Manifest {
        let ask = &self.ask;
        if self.is_vm_disk() {
            let disk = vm_disk("new").storage(size);
            let disk = match ask.by {
                By::Image => disk.image("source"),
                By::Disk => disk.disk("source"),
                _ => disk.source(json!({"pvc": {"name": "vm-disk-source"}})),
            };
            let disk = ask.class.map_or(disk.clone(), |class| disk.class(class));
            return if ask.is_immediate { disk } else { disk.at(&["spec", "bindImmediately"], false) };
        }
        let (namespace, name) = self.source_at();
        let mut result = data_volume("vm-disk-new").storage(size);
        result = match ask.by {
            By::DataSource => result.source_ref("cozy-public", "source"),
            By::LinkedDataSource => result.source_ref("cozy-public", "link"),
            By::MissingDataSource => result.source_ref("cozy-public", "none"),
            By::Snapshot => result.snapshot(namespace, "source"),
            _ => result.claim(namespace, name),
        };
        if ask.is_pvc_form {
            result = result.pvc_form();
        }
        if let Some(class) = ask.class {
            result = result.class(class);
        }
        if let Some(mode) = ask.mode {
            result = result.mode(mode);
        }
        if !ask.access_modes.is_empty() {
            result = result.access_modes(ask.access_modes);
        }
        if ask.is_archive {
            result = result.at(&["spec", "contentType"], "archive");
        }
        for (key, value) in [
            ("cdi.kubevirt.io/cloneType", ask.clone_type),
            ("cdi.kubevirt.io/storage.usePopulator", ask.use_populator),
            ("cdi.kubevirt.io/permissiveClone", ask.is_permissive.then_some("")),
        ] {
            result = value.map_or(result.clone(), |value| result.annotation(key, value));
        }
        if ask.is_immediate { result.immediate() } else { result }
    }

    /// The request that creates it.
    pub(super) fn request(&self) -> Value {
        self.manifest(self.ask.size.map_or(Value::Null, Value::from)).create()
    }
}
