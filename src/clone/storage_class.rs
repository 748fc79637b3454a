//! Which StorageClass a new disk gets.

use std::rc::Rc;

use super::keys;
use crate::cluster::{Answer, Cluster, Failure, StorageClass};
use crate::subject::{ContentType, DataVolume, SpecForm};

/// The class of a new disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetClass {
    /// The DataVolume names it. `""` is a name too, of a class that cannot exist.
    Named {
        /// The name.
        name: String,
        /// The class, if it exists.
        class: Answer<Rc<StorageClass>>,
    },
    /// It is left to the cluster.
    Default {
        /// CDI's pick.
        class: Rc<StorageClass>,
        /// The annotation that decided.
        annotation: DefaultAnnotation,
        /// Every class that carries the annotation, in CDI's order: the first is the pick.
        candidates: Vec<String>,
    },
    /// It is left to the cluster, and the cluster has no default.
    NoDefault,
}

impl TargetClass {
    /// The class, if there is one.
    #[must_use]
    pub fn class(&self) -> Option<&Rc<StorageClass>> {
        match self {
            Self::Named { class: Answer::Present(class), .. } | Self::Default { class, .. } => Some(class),
            Self::Named { class: Answer::Absent | Answer::NotServed, .. } | Self::NoDefault => None,
        }
    }
}

/// What marks a default class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultAnnotation {
    /// `storageclass.kubevirt.io/is-default-virt-class`
    Virtualization,
    /// `storageclass.kubernetes.io/is-default-class`
    Kubernetes,
}

impl DefaultAnnotation {
    /// The annotation's key.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Virtualization => keys::DEFAULT_VIRT_CLASS,
            Self::Kubernetes => keys::DEFAULT_CLASS,
        }
    }
}

/// The class of `dv`'s target: one get where it is named; where it is left out, a get of `probe` and a list.
///
/// A DataVolume without a target is treated as one that names a class that does not exist.
///
/// # Errors
/// The class, or the list of classes, could not be looked up.
pub fn target_class(dv: &DataVolume, cluster: &Cluster<'_>, probe: Option<&str>) -> Result<TargetClass, Failure> {
    let name = match &dv.target {
        None => Some(""),
        Some(target) => target.storage_class_name.as_deref(),
    };
    let rendered = dv.target.as_ref().is_some_and(|target| target.form == SpecForm::Storage);
    lookup(name, rendered && dv.content_type == ContentType::Kubevirt, cluster, probe)
}

/// The class of that name; without a name the default one. `virt`: the class for virtual machines comes before
/// Kubernetes' (`pkg/controller/common/util.go`, `getStorageClassByName`, `GetPlatformDefaultStorageClass`).
pub(super) fn lookup(
    name: Option<&str>,
    virt: bool,
    cluster: &Cluster<'_>,
    probe: Option<&str>,
) -> Result<TargetClass, Failure> {
    if let Some(name) = name {
        return Ok(TargetClass::Named { name: name.to_owned(), class: cluster.storage_class(name)? });
    }
    let classes = cluster.storage_classes(probe)?.present().unwrap_or_default();
    let order: &[DefaultAnnotation] = if virt {
        &[DefaultAnnotation::Virtualization, DefaultAnnotation::Kubernetes]
    } else {
        &[DefaultAnnotation::Kubernetes]
    };
    for &annotation in order {
        let mut marked: Vec<&Rc<StorageClass>> =
            classes.iter().filter(|class| class.meta.annotation(annotation.key()) == Some("true")).collect();
        marked.sort_by(|a, b| {
            let newest_first = b.meta.creation_timestamp.cmp(&a.meta.creation_timestamp);
            newest_first.then_with(|| a.meta.name.cmp(&b.meta.name))
        });
        if let Some(class) = marked.first() {
            let candidates = marked.iter().map(|class| class.meta.name.clone()).collect();
            return Ok(TargetClass::Default { class: Rc::clone(class), annotation, candidates });
        }
    }
    Ok(TargetClass::NoDefault)
}

/// The class of that name; without a name Kubernetes' default one (`GetStorageClassByNameWithK8sFallback`).
pub(super) fn with_kubernetes_default(
    name: Option<&str>,
    cluster: &Cluster<'_>,
) -> Result<Option<Rc<StorageClass>>, Failure> {
    Ok(lookup(name, false, cluster, None)?.class().cloned())
}
