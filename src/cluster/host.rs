//! The cluster behind the waPC host.
//!
//! Gets bypass the host's cache. It keeps an object for 5 seconds, so a disk made a moment ago would look absent;
//! and all cached gets of all policies wait for one lock, so one slow read could hold up every request beyond its
//! time limit. That is why classes and profiles, which hardly ever change, are read uncached as well: nine gets
//! take 16 to 30 ms.

use std::mem::ManuallyDrop;

use super::host_error::{self, HostAnswer};
use super::{Answer, Cause, Kind, Lookup, Object, keep, read};
use crate::json::{Json, same, write};

/// The host capabilities that the lookups use. `metadata.yml` declares the same ones.
pub const CAPABILITIES: [&str; 2] = ["kubernetes/get_resource", "kubernetes/list_resources_all"];

/// From how many bytes on an answer is freed once it is read: more than most objects have. Left until the end, 150
/// answers of more than a megabyte would add up, and a tenant can bring them about.
const LARGE: usize = 16 * 1024;

/// The cluster behind the waPC host.
#[derive(Debug, Clone, Copy, Default)]
pub struct Host;

impl Lookup for Host {
    fn get(&self, kind: Kind, namespace: &str, name: &str) -> Result<Answer<Object>, Cause> {
        // What is made here stays until the instance ends, as in `guest.rs`.
        let request = ManuallyDrop::new(get_request(kind, namespace, name));
        Ok(match call("get_resource", &request)? {
            Answer::Present(bytes) => {
                let found = got(kind, &bytes);
                if bytes.len() < LARGE {
                    let _ = ManuallyDrop::new(bytes);
                }
                Answer::Present(found?)
            }
            Answer::Absent => Answer::Absent,
            Answer::NotServed => Answer::NotServed,
        })
    }

    fn list(&self, kind: Kind) -> Result<Answer<Vec<Object>>, Cause> {
        Ok(match call("list_resources_all", &list_request(kind))? {
            Answer::Present(bytes) => {
                let document = Json::parse_keeping(&bytes, keep::list(kind)).map_err(|_| Cause::Unreadable)?;
                let Some(Json::Array(items)) = document.key("items") else {
                    return Err(Cause::OtherObject);
                };
                Answer::Present(items.iter().map(|item| object(kind, item)).collect::<Result<_, _>>()?)
            }
            Answer::Absent => Answer::Absent,
            Answer::NotServed => Answer::NotServed,
        })
    }
}

/// The object of `kind` that the answer to a get describes.
fn got(kind: Kind, answer: &[u8]) -> Result<Object, Cause> {
    let document = Json::parse_keeping(answer, keep::object(kind)).map_err(|_| Cause::Unreadable)?;
    object(kind, &ManuallyDrop::new(document))
}

/// The object of `kind` that an answer, or an item of one, describes.
fn object(kind: Kind, document: &Json<'_>) -> Result<Object, Cause> {
    // A name that leaves its place in the URL would bring another kind. Not every answer says its kind: the items of a
    // list of a built-in kind do not.
    if document.string_at("kind").map_err(|_| Cause::OtherObject)?.is_some_and(|found| !same(found, kind.name())) {
        return Err(Cause::OtherObject);
    }
    read::object(kind, document).map_err(|_| Cause::Unreadable)
}

/// The SDK's [`GetResourceRequest`](kubewarden_policy_sdk::host_capabilities::kubernetes::GetResourceRequest).
fn get_request(kind: Kind, namespace: &str, name: &str) -> String {
    let mut request = begin_request(kind);
    request.push_str(r#"","name":"#);
    write::string(&mut request, name);
    request.push_str(r#","namespace":"#);
    // The host takes a namespace for a cluster-scoped kind, but caches and words it differently.
    if kind.namespaced() {
        write::string(&mut request, namespace);
    } else {
        request.push_str("null");
    }
    // A mask keeps the whole metadata, where the bulk of an object is, so it saves little (see `docs/lookups.md`).
    request.push_str(r#","disable_cache":true,"field_masks":null}"#);
    request
}

/// The SDK's [`ListAllResourcesRequest`](kubewarden_policy_sdk::host_capabilities::kubernetes::ListAllResourcesRequest).
fn list_request(kind: Kind) -> String {
    let mut request = begin_request(kind);
    // Each distinct selector or mask would start another watch that lives as long as the server.
    request.push_str(r#"","label_selector":null,"field_selector":null,"field_masks":null}"#);
    request
}

fn begin_request(kind: Kind) -> String {
    let mut request = String::with_capacity(512);
    // These words need no escapes.
    request.push_str(r#"{"api_version":""#);
    request.push_str(kind.api_version());
    request.push_str(r#"","kind":""#);
    request.push_str(kind.name());
    request
}

fn call(operation: &str, request: &str) -> Result<Answer<Vec<u8>>, Cause> {
    match wapc_guest::host_call("kubewarden", "kubernetes", operation, request.as_bytes()) {
        Ok(bytes) => Ok(Answer::Present(bytes)),
        Err(error) => match host_error::parse(&error.to_string()) {
            HostAnswer::Absent => Ok(Answer::Absent),
            HostAnswer::NotServed => Ok(Answer::NotServed),
            HostAnswer::Failed(cause) => Err(cause),
        },
    }
}

#[cfg(test)]
mod tests {
    use kubewarden_policy_sdk::host_capabilities::kubernetes::{GetResourceRequest, ListAllResourcesRequest};

    use super::*;

    #[test]
    fn requests_are_those_of_the_sdk() {
        for kind in Kind::ALL {
            let get = GetResourceRequest {
                api_version: kind.api_version().to_owned(),
                kind: kind.name().to_owned(),
                name: "a \"name\"".to_owned(),
                namespace: kind.namespaced().then(|| "ns".to_owned()),
                disable_cache: true,
                field_masks: None,
            };
            assert_eq!(get_request(kind, "ns", "a \"name\""), serde_json::to_string(&get).unwrap());
            let list = ListAllResourcesRequest {
                api_version: kind.api_version().to_owned(),
                kind: kind.name().to_owned(),
                label_selector: None,
                field_selector: None,
                field_masks: None,
            };
            assert_eq!(list_request(kind), serde_json::to_string(&list).unwrap());
        }
    }
}
