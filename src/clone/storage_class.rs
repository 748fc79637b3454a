//! Which StorageClass a new disk gets.

use std::rc::Rc;

use super::steps::Context;
use super::{keys, render};
use crate::cluster::{Answer, Cluster, Failure, StorageClass};
use crate::json::sorted;
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
/// A DataVolume without a target is treated as one that names a class that does not exist. With label
/// `applyStorageProfile` the claim is created without a class, unless CDIConfig disables that: the API server then
/// comes before CDI, and so Kubernetes' default class before the one for virtual machines.
///
/// # Errors
/// The class, the list of classes, or what says whether the label counts, could not be looked up.
pub fn target_class(
    dv: &DataVolume,
    cluster: &Cluster<'_>,
    cdi_name: &str,
    probe: Option<&str>,
) -> Result<TargetClass, Failure> {
    let name = match &dv.target {
        None => Some(""),
        Some(target) => target.storage_class_name.as_deref(),
    };
    let kubevirt = dv.content_type == ContentType::Kubevirt;
    if name.is_none() && dv.apply_storage_profile && render::webhook_renders(Context { dv, cluster, cdi_name })? {
        let order: &[DefaultAnnotation] = if kubevirt {
            &[DefaultAnnotation::Kubernetes, DefaultAnnotation::Virtualization]
        } else {
            &[DefaultAnnotation::Kubernetes]
        };
        return default_class(order, cluster, probe);
    }
    let rendered = dv.target.as_ref().is_some_and(|target| target.form == SpecForm::Storage);
    lookup(name, rendered && kubevirt, cluster, probe)
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
    let order: &[DefaultAnnotation] = if virt {
        &[DefaultAnnotation::Virtualization, DefaultAnnotation::Kubernetes]
    } else {
        &[DefaultAnnotation::Kubernetes]
    };
    default_class(order, cluster, probe)
}

/// The class that the first of these annotations marks that marks any: the newest one, of equal ones by name.
fn default_class(
    order: &[DefaultAnnotation],
    cluster: &Cluster<'_>,
    probe: Option<&str>,
) -> Result<TargetClass, Failure> {
    let classes = cluster.storage_classes(probe)?.present().unwrap_or_default();
    for &annotation in order {
        let marked: Vec<&Rc<StorageClass>> =
            classes.iter().filter(|class| class.meta.annotation(annotation.key()) == Some("true")).collect();
        let marked = sorted(marked, &|a, b| {
            let newest_first = b.creation_timestamp.cmp(&a.creation_timestamp);
            newest_first.then_with(|| a.meta.name.cmp(&b.meta.name)).is_lt()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clone::testing::{ask, class, config, default_class, disk};
    use crate::cluster::{CdiConfig, Objects};
    use crate::subject::TargetSpec;
    use rstest::rstest;

    const OLD: &str = "2024-05-18T08:00:01Z";
    const NEW: &str = "2025-05-18T08:00:01Z";

    /// Two defaults of each kind: `virt-*` and `kube-*`.
    fn cluster() -> Objects {
        Objects::new()
            .with(default_class("virt-old", keys::DEFAULT_VIRT_CLASS, OLD))
            .with(default_class("virt-b", keys::DEFAULT_VIRT_CLASS, NEW))
            .with(default_class("virt-a", keys::DEFAULT_VIRT_CLASS, NEW))
            .with(default_class("kube-old", keys::DEFAULT_CLASS, OLD))
            .with(default_class("kube-new", keys::DEFAULT_CLASS, NEW))
            .with(class("plain", "driver"))
    }

    #[rstest]
    #[case::storage_of_an_image(SpecForm::Storage, ContentType::Kubevirt, &["virt-a", "virt-b", "virt-old"])]
    #[case::storage_of_an_archive(SpecForm::Storage, ContentType::Archive, &["kube-new", "kube-old"])]
    #[case::a_verbatim_claim(SpecForm::Pvc, ContentType::Kubevirt, &["kube-new", "kube-old"])]
    fn a_class_that_is_left_out_is_the_newest_default(
        #[case] form: SpecForm,
        #[case] content_type: ContentType,
        #[case] expected: &[&str],
    ) {
        let dv = disk(None);
        let target = dv.target.clone().map(|target| TargetSpec { form, ..target });
        let dv = DataVolume { content_type, target, ..dv };
        let found = ask(&cluster(), |cluster| target_class(&dv, cluster, "cdi", None)).unwrap();
        let TargetClass::Default { class, candidates, .. } = found else { panic!("{found:?}") };
        assert_eq!(candidates, expected);
        assert_eq!(class.meta.name, expected[0]);
    }

    #[rstest]
    #[case::of_kubernetes_comes_first(SpecForm::Storage, true, None, "kube-new")]
    #[case::for_virtual_machines_if_there_is_no_other(SpecForm::Storage, false, None, "virt-a")]
    #[case::for_virtual_machines_even_of_a_verbatim_claim(SpecForm::Pvc, false, None, "virt-a")]
    #[case::as_without_the_label_where_rendering_is_disabled(SpecForm::Storage, true, Some("Disabled"), "virt-a")]
    fn the_default_class_of_a_labelled_disk(
        #[case] form: SpecForm,
        #[case] with_kubernetes_default: bool,
        #[case] webhook_pvc_rendering: Option<&str>,
        #[case] expected: &str,
    ) {
        let webhook_pvc_rendering = webhook_pvc_rendering.map(str::to_owned);
        let mut objects = if with_kubernetes_default {
            cluster()
        } else {
            Objects::new().with(default_class("virt-a", keys::DEFAULT_VIRT_CLASS, NEW))
        };
        objects = objects.with(CdiConfig { webhook_pvc_rendering, ..config() });
        let dv = disk(None);
        let target = dv.target.clone().map(|target| TargetSpec { form, ..target });
        let dv = DataVolume { apply_storage_profile: true, target, ..dv };
        let found = ask(&objects, |cluster| target_class(&dv, cluster, "cdi", None)).unwrap();
        assert_eq!(found.class().unwrap().meta.name, expected);
        let planned = ask(&objects, |cluster| crate::clone::plan(&dv, cluster, "cdi"));
        assert!(planned.target_class.is_none_or(|class| class.meta.name == expected));
    }

    #[test]
    fn without_a_class_for_virtual_machines_kubernetes_default_counts() {
        let objects = Objects::new().with(default_class("kube", keys::DEFAULT_CLASS, OLD));
        let found = ask(&objects, |cluster| target_class(&disk(None), cluster, "cdi", None)).unwrap();
        assert!(matches!(found, TargetClass::Default { annotation: DefaultAnnotation::Kubernetes, .. }));
    }

    #[test]
    fn only_the_literal_true_marks_a_default() {
        let mut marked = default_class("kube", keys::DEFAULT_CLASS, OLD);
        marked.meta.annotations[0].1 = "True".to_owned();
        let objects = Objects::new().with(marked);
        assert_eq!(
            ask(&objects, |cluster| target_class(&disk(None), cluster, "cdi", None)),
            Ok(TargetClass::NoDefault)
        );
    }

    #[rstest]
    #[case::another_class("gone")]
    #[case::the_empty_name("")]
    #[case::a_name_that_cannot_exist("a/../b")]
    fn a_named_class_is_never_replaced_by_a_default(#[case] name: &str) {
        let found = ask(&cluster(), |cluster| target_class(&disk(Some(name)), cluster, "cdi", None)).unwrap();
        assert_eq!(found, TargetClass::Named { name: name.to_owned(), class: Answer::Absent });
    }

    #[test]
    fn naming_a_class_takes_one_lookup_and_leaving_it_out_two() {
        let lookups = |dv: &DataVolume| {
            ask(&cluster(), |cluster| {
                target_class(dv, cluster, "cdi", Some("plain")).unwrap();
                cluster.lookups()
            })
        };
        assert_eq!(lookups(&disk(Some("plain"))), 1);
        assert_eq!(lookups(&disk(None)), 2);
    }
}
