//! Parameters of a class, as linstor-csi reads them: an access policy is YAML that a person wrote.
#![no_main]

use vmdisk_policy::linstor::{Anywhere, remote_access};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (access, layers) = text.split_once('\0').unwrap_or((text, ""));
    let mut parameters = vec![("linstor.csi.linbit.com/allowRemoteVolumeAccess".to_owned(), access.to_owned())];
    let alone = remote_access(&parameters);
    assert_ne!(alone.anywhere, Anywhere::CannotTell);
    parameters.push(("layerList".to_owned(), layers.to_owned()));
    // With no parameter spelled twice there is always an answer.
    assert_ne!(remote_access(&parameters).anywhere, Anywhere::CannotTell);
});
