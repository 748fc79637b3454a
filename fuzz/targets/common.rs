//! What several targets share.

#![allow(dead_code, reason = "no target uses all of it")]

use vmdisk_policy::cluster::Lookup;
use vmdisk_policy::json::Json;
use vmdisk_policy::judge::judge;
use vmdisk_policy::response;
use vmdisk_policy::settings::Settings;

#[path = "../../e2e-tests/src/invariants.rs"]
mod invariants;
#[path = "../../e2e-tests/tests/unbreakable/readable.rs"]
mod readable;
#[path = "../../e2e-tests/tests/unbreakable/world.rs"]
pub(crate) mod world;

pub(crate) use readable::cluster;

/// The answer to a payload, which must have nothing that no answer may have. `None`: the payload is none, or its
/// settings are not valid.
pub(crate) fn answer(payload: &[u8], lookup: &dyn Lookup) -> Option<Vec<u8>> {
    let payload = Json::parse(payload).ok()?;
    let settings = Settings::parse(payload.key("settings")).ok()?;
    let verdict = judge(payload.key("request")?, &settings, lookup);
    let bytes = response::write(&verdict).into_bytes();
    let response = serde_json::from_slice(&bytes).expect("an answer is JSON");
    let violations = invariants::violations(&response);
    assert!(violations.is_empty(), "{violations:?} in {response}");
    assert!(bytes.len() < 256 << 10, "an answer of {} bytes", bytes.len());
    Some(bytes)
}
