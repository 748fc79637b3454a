//! The disk of cozystack#2908, as both kinds that are judged.

use serde_json::Value;

use crate::common::*;

/// The VMDisk.
pub(crate) fn disk() -> Manifest {
    vm_disk("disk").image("ubuntu").class("local")
}

/// The DataVolume that the chart makes of it.
pub(crate) fn rendered() -> Manifest {
    rendered_into("local")
}

/// The DataVolume that the chart makes of the disk in another class.
pub(crate) fn rendered_into(class: &str) -> Manifest {
    data_volume("vm-disk-disk").claim("cozy-public", "vm-default-images-ubuntu").class(class).immediate()
}

/// The requests that create the VMDisk and the DataVolume.
pub(crate) fn both() -> [Value; 2] {
    both_into("local")
}

/// The same in another class.
pub(crate) fn both_into(class: &str) -> [Value; 2] {
    [disk().class(class).create(), rendered_into(class).create()]
}

/// Asserts what is decided of both.
#[track_caller]
pub(crate) fn both_are(world: &World, expected: &Decision) {
    for request in both() {
        world.decides(&request, expected);
    }
}

/// What is decided of both in the founding cluster.
pub(crate) fn refused_csi_clone() -> Decision {
    refused(&["RemoteVolumeAccess"]).strategy("csi-clone")
}

/// What is decided of both where CDI clones by snapshot.
pub(crate) fn refused_snapshot() -> Decision {
    refused(&["RemoteVolumeAccess"]).strategy("snapshot")
}
