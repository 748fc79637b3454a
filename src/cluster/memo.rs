//! The cluster as one request's decision sees it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::{
    Answer, Cause, Cdi, CdiConfig, Claim, CsiDriver, DataSource, ExistingDataVolume, Failure, Kind, Lookup, Object,
    Resource, StorageClass, StorageProfile, Volume, VolumeSnapshot, VolumeSnapshotClass, VolumeSnapshotContent,
};
use crate::json::same;
use crate::names;

/// A typed answer, or why there is none.
pub(super) type Found<T> = Result<Answer<Rc<T>>, Failure>;
type Listed<T> = Result<Answer<Vec<Rc<T>>>, Failure>;

/// A kind, and all of its objects.
type KnownList = (Kind, Result<Answer<Vec<Object>>, Cause>);

struct Known {
    kind: Kind,
    /// Namespace and name that were asked for, where there is no object that says them.
    asked_for: Option<(String, String)>,
    answer: Result<Answer<Object>, Cause>,
}

impl Known {
    fn is(&self, kind: Kind, namespace: &str, name: &str) -> bool {
        if self.kind != kind {
            return false;
        }
        match (&self.asked_for, &self.answer) {
            (Some((known_namespace, known_name)), _) => same(known_name, name) && same(known_namespace, namespace),
            (None, Ok(Answer::Present(object))) => {
                same(&object.meta().name, name) && same(&object.meta().namespace, namespace)
            }
            (None, _) => false,
        }
    }
}

/// The cluster as one request's decision sees it. Each object is asked for at most once.
pub struct Cluster<'l> {
    lookup: &'l dyn Lookup,
    known: RefCell<Vec<Known>>,
    lists: RefCell<Vec<KnownList>>,
    asked: Cell<usize>,
}

impl<'l> Cluster<'l> {
    /// The cluster behind `lookup`, nothing of it known yet.
    #[must_use]
    pub fn new(lookup: &'l dyn Lookup) -> Self {
        Self { lookup, known: RefCell::new(Vec::with_capacity(16)), lists: RefCell::default(), asked: Cell::new(0) }
    }

    /// How many lookups have been made.
    #[must_use]
    pub fn lookups(&self) -> usize {
        self.asked.get()
    }

    /// The claim of that namespace and name.
    ///
    /// # Errors
    /// Could not tell.
    pub fn claim(&self, namespace: &str, name: &str) -> Found<Claim> {
        self.get(namespace, name)
    }

    /// The PersistentVolume of that name.
    ///
    /// # Errors
    /// Could not tell.
    pub fn volume(&self, name: &str) -> Found<Volume> {
        self.get("", name)
    }

    /// The StorageClass of that name.
    ///
    /// # Errors
    /// Could not tell.
    pub fn storage_class(&self, name: &str) -> Found<StorageClass> {
        self.get("", name)
    }

    /// The StorageProfile of that name.
    ///
    /// # Errors
    /// Could not tell.
    pub fn storage_profile(&self, name: &str) -> Found<StorageProfile> {
        self.get("", name)
    }

    /// The CSIDriver of that name.
    ///
    /// # Errors
    /// Could not tell.
    pub fn csi_driver(&self, name: &str) -> Found<CsiDriver> {
        self.get("", name)
    }

    /// The DataVolume of that namespace and name.
    ///
    /// # Errors
    /// Could not tell.
    pub fn data_volume(&self, namespace: &str, name: &str) -> Found<ExistingDataVolume> {
        self.get(namespace, name)
    }

    /// The DataSource of that namespace and name.
    ///
    /// # Errors
    /// Could not tell.
    pub fn data_source(&self, namespace: &str, name: &str) -> Found<DataSource> {
        self.get(namespace, name)
    }

    /// The CDI resource of that name.
    ///
    /// # Errors
    /// Could not tell.
    pub fn cdi(&self, name: &str) -> Found<Cdi> {
        self.get("", name)
    }

    /// The CDIConfig, which CDI always calls `config` (`pkg/common/common.go`, `ConfigName`).
    ///
    /// # Errors
    /// Could not tell.
    pub fn cdi_config(&self) -> Found<CdiConfig> {
        self.get("", "config")
    }

    /// The VolumeSnapshotClass of that name.
    ///
    /// # Errors
    /// Could not tell.
    pub fn volume_snapshot_class(&self, name: &str) -> Found<VolumeSnapshotClass> {
        self.get("", name)
    }

    /// The VolumeSnapshot of that namespace and name.
    ///
    /// # Errors
    /// Could not tell.
    pub fn volume_snapshot(&self, namespace: &str, name: &str) -> Found<VolumeSnapshot> {
        self.get(namespace, name)
    }

    /// The VolumeSnapshotContent of that name.
    ///
    /// # Errors
    /// Could not tell.
    pub fn volume_snapshot_content(&self, name: &str) -> Found<VolumeSnapshotContent> {
        self.get("", name)
    }

    /// All StorageClasses, in any order: the host's is random per watcher. `probe` is the class that is asked for first: see [`Self::volume_snapshot_classes`].
    ///
    /// # Errors
    /// Could not tell.
    pub fn storage_classes(&self, probe: Option<&str>) -> Listed<StorageClass> {
        self.list(probe)
    }

    /// All VolumeSnapshotClasses, in any order.
    ///
    /// A list without permission is never answered and holds a worker of the policy server, so a get of the same
    /// kind comes first and turns a missing ClusterRole into an error. `probe` is the name it asks for: one that the
    /// decision needs anyway, else [`PROBE`].
    ///
    /// # Errors
    /// Could not tell.
    pub fn volume_snapshot_classes(&self, probe: Option<&str>) -> Listed<VolumeSnapshotClass> {
        self.list(probe)
    }

    fn get<T: Resource>(&self, namespace: &str, name: &str) -> Found<T> {
        let failure = |cause| Failure { kind: T::KIND, namespace: namespace.to_owned(), name: name.to_owned(), cause };
        match self.get_object(T::KIND, namespace, name).map_err(failure)? {
            Answer::Present(object) => T::of(&object).map(Answer::Present).ok_or_else(|| failure(Cause::OtherObject)),
            Answer::Absent => Ok(Answer::Absent),
            Answer::NotServed => Ok(Answer::NotServed),
        }
    }

    fn get_object(&self, kind: Kind, namespace: &str, name: &str) -> Result<Answer<Object>, Cause> {
        // A kind that has been listed is known whole.
        if let Some((_, Ok(Answer::Present(objects)))) = self.lists.borrow().iter().find(|(k, _)| *k == kind) {
            let found = objects.iter().find(|object| object.meta().name == name);
            return Ok(found.map_or(Answer::Absent, |object| Answer::Present(object.clone())));
        }
        if let Some(known) = self.known.borrow().iter().find(|known| known.is(kind, namespace, name)) {
            return known.answer.clone();
        }
        if !names::is_object_name(name) || (kind.namespaced() && !names::is_namespace(namespace)) {
            return Ok(Answer::Absent);
        }
        self.asked.set(self.asked.get() + 1);
        let answer = match self.lookup.get(kind, namespace, name) {
            Ok(Answer::Present(object))
                if object.kind() != kind
                    || !same(&object.meta().name, name)
                    || !same(&object.meta().namespace, namespace) =>
            {
                Err(Cause::OtherObject)
            }
            other => other,
        };
        let says_its_name = matches!(answer, Ok(Answer::Present(_)));
        let asked_for = (!says_its_name).then(|| (namespace.to_owned(), name.to_owned()));
        self.known.borrow_mut().push(Known { kind, asked_for, answer: answer.clone() });
        answer
    }

    fn list<T: Resource>(&self, probe: Option<&str>) -> Listed<T> {
        let failure = |cause| Failure { kind: T::KIND, namespace: String::new(), name: String::new(), cause };
        let answer = self.list_objects(T::KIND, probe).map_err(failure)?;
        Ok(answer.map(|objects| objects.iter().filter_map(T::of).collect()))
    }

    fn list_objects(&self, kind: Kind, probe: Option<&str>) -> Result<Answer<Vec<Object>>, Cause> {
        if let Some((_, answer)) = self.lists.borrow().iter().find(|(k, _)| *k == kind) {
            return answer.clone();
        }
        // Any get of the kind that was answered proves as much as a probe would.
        let probed = self.known.borrow().iter().find(|k| k.kind == kind).map(|k| k.answer.clone());
        let probed = match probed {
            Some(answer) => answer,
            None => self.get_object(kind, "", probe.filter(|name| names::is_object_name(name)).unwrap_or(PROBE)),
        };
        let answer = match probed {
            Err(cause) => Err(cause),
            Ok(Answer::NotServed) => Ok(Answer::NotServed),
            Ok(Answer::Present(_) | Answer::Absent) => {
                self.asked.set(self.asked.get() + 1);
                self.lookup.list(kind).and_then(|answer| match answer {
                    Answer::Present(objects) => {
                        if objects.iter().any(|object| object.kind() != kind || object.meta().name.is_empty()) {
                            return Err(Cause::OtherObject);
                        }
                        Ok(Answer::Present(objects))
                    }
                    Answer::Absent | Answer::NotServed => Ok(answer),
                })
            }
        };
        self.lists.borrow_mut().push((kind, answer.clone()));
        answer
    }
}

/// The name asked for before a list where the decision needs no particular object of the kind.
pub const PROBE: &str = "vmdisk-policy-probe";
