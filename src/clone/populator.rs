//! Whether CDI's populators make the clone, and what they ask of the claim before they choose a strategy.

use std::rc::Rc;

use super::steps::{Context, Draft, Spec, Step};
use super::{ErrorClass, Fault, Origin, Stage, Wait, go, keys, storage_class};
use crate::cluster::StorageClass;

/// Who makes the clone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Maker {
    /// CDI's populators, which choose a strategy.
    Populator,
    /// The older controllers, which can only copy: because of what is given here.
    Legacy(Origin),
}

/// `pkg/controller/datavolume/controller-base.go`, `shouldUseCDIPopulator`: the annotation decides where it is present;
/// else the class (Kubernetes' default one where it is left out, never the one for virtual machines) and the CSIDriver
/// of its provisioner have to exist.
pub(super) fn maker(context: Context<'_>, draft: &mut Draft, spec: &Spec) -> Step<Maker> {
    if let Some(value) = context.dv.annotation(keys::USE_POPULATOR) {
        return match go::parse_bool(value) {
            Some(true) => Ok(Maker::Populator),
            Some(false) => Ok(Maker::Legacy(Origin::UsePopulatorAnnotation)),
            None => Err(Fault::new(Stage::UsePopulator, ErrorClass::BadUsePopulatorAnnotation).into()),
        };
    }
    let Some(class) = storage_class::with_kubernetes_default(spec.class.as_deref(), context.cluster)? else {
        return Ok(Maker::Legacy(Origin::NoCsiDriver));
    };
    let served = context.cluster.csi_driver(&class.provisioner)?.is_present();
    draft.target_class = Some(class);
    Ok(if served { Maker::Populator } else { Maker::Legacy(Origin::NoCsiDriver) })
}

/// `pkg/controller/populators/util.go`, `claimReadyForPopulation`. A claim of a class that waits for its first consumer
/// is planned as if it had one.
pub(super) fn ready(context: Context<'_>, draft: &mut Draft, spec: &Spec) -> Step<Rc<StorageClass>> {
    let Some(name) = spec.class.as_deref() else { return Err(Wait::TargetWithoutStorageClass.into()) };
    if name.is_empty() {
        return Err(Fault::new(Stage::Populate, ErrorClass::EmptyStorageClassName).into());
    }
    let Some(class) = context.cluster.storage_class(name)?.present() else {
        return Err(Fault::new(Stage::Populate, ErrorClass::StorageClassNotFound).about(name).into());
    };
    draft.target_class = Some(Rc::clone(&class));
    if class.provisioner.starts_with("kubernetes.io/") {
        return Err(Fault::new(Stage::Populate, ErrorClass::InTreeProvisioner).about(name).into());
    }
    Ok(class)
}
