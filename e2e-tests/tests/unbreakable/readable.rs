//! Objects as the native decision reads them. Fuzz targets and benchmarks use this file too.

use serde_json::Value;
use vmdisk_policy::cluster::{Kind, Object, Objects, read};
use vmdisk_policy::json::Json;

/// The object, if it is of a kind that is looked up, and can be read.
pub(crate) fn object(object: &Value) -> Option<Object> {
    let kind = Kind::ALL.into_iter().find(|kind| object["kind"] == kind.name())?;
    read::object(kind, &Json::parse(object.to_string().as_bytes()).ok()?).ok()
}

/// The cluster of those objects that can be read.
pub(crate) fn cluster<'o>(objects: impl IntoIterator<Item = &'o Value>) -> Objects {
    objects.into_iter().filter_map(object).collect()
}
