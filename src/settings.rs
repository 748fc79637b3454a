//! The policy's settings: all optional, checked as a whole.

mod check;
mod rule;

pub use check::Problem;
pub use rule::{Action, Rule};

use std::borrow::Cow;

use crate::json::Json;

/// A text of the settings. Most are the defaults, and settings are read anew for every request.
pub type Text = Cow<'static, str>;

/// What to do when a lookup that a denying rule needs cannot be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnLookupFailure {
    /// Accept with a `LookupFailed` warning. The default: an API server that is restarting must not stop a restore.
    #[default]
    Allow,
    /// Refuse with code 500.
    Reject,
}

/// The policy's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    actions: [Action; Rule::ALL.len()],
    /// `onLookupFailure`
    pub on_lookup_failure: OnLookupFailure,
    /// `linstorDrivers`: CSI drivers that are LINSTOR.
    pub linstor_drivers: Vec<Text>,
    /// `virtualMachines`: whether VirtualMachines are judged.
    pub virtual_machines: bool,
    /// `cdiName`: the name of the CDI resource.
    pub cdi_name: Text,
    /// `vmDisk`: how the Cozystack chart makes a DataVolume of a VMDisk.
    pub vm_disk: VmDiskSettings,
}

/// How the Cozystack chart makes a DataVolume of a VMDisk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VmDiskSettings {
    /// `releasePrefix`: what stands before a VMDisk's name in the name of its DataVolume.
    pub release_prefix: Text,
    /// `imageNamespace`: where the golden images are.
    pub image_namespace: Text,
    /// `imagePrefix`: what stands before an image's name in the name of its claim.
    pub image_prefix: Text,
    /// `defaultStorageClass`: the class of a VMDisk that names none.
    pub default_storage_class: Text,
    /// `defaultStorage`: the size of a VMDisk that names none.
    pub default_storage: Text,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            actions: Rule::ALL.map(Rule::default_action),
            on_lookup_failure: OnLookupFailure::default(),
            linstor_drivers: vec!["linstor.csi.linbit.com".into()],
            virtual_machines: true,
            cdi_name: "cdi".into(),
            vm_disk: VmDiskSettings {
                release_prefix: "vm-disk-".into(),
                image_namespace: "cozy-public".into(),
                image_prefix: "vm-default-images-".into(),
                default_storage_class: "replicated".into(),
                default_storage: "5Gi".into(),
            },
        }
    }
}

impl Settings {
    /// Reads the settings. Absent, null and empty settings are the defaults.
    ///
    /// # Errors
    /// Every unknown key and every wrong value at once.
    pub fn parse(settings: Option<&Json<'_>>) -> Result<Self, Vec<Problem>> {
        check::read(settings)
    }

    /// What is done with a finding of that rule.
    #[must_use]
    pub fn action(&self, rule: Rule) -> Action {
        self.actions.get(rule as usize).copied().unwrap_or(Action::Off)
    }

    /// Whether a rule is looked at.
    #[must_use]
    pub fn is_on(&self, rule: Rule) -> bool {
        self.action(rule) != Action::Off
    }

    /// The same settings with another action for a rule.
    #[must_use]
    pub fn with_action(mut self, rule: Rule, action: Action) -> Self {
        if let Some(slot) = self.actions.get_mut(rule as usize) {
            *slot = action;
        }
        self
    }

    /// Whether a driver is LINSTOR.
    #[must_use]
    pub fn is_linstor(&self, driver: &str) -> bool {
        self.linstor_drivers.iter().any(|known| known == driver)
    }
}
