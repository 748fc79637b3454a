//! The cluster behind the waPC host.
//!
//! Gets bypass the host's cache. It keeps an object for 5 seconds, so a disk made a moment ago would look absent;
//! and all cached gets of all policies wait for one lock, so one slow read could hold up every request beyond its
//! time limit. That is why classes and profiles, which hardly ever change, are read uncached as well: nine gets
//! take 16 to 30 ms.

use kubewarden_policy_sdk::host_capabilities::kubernetes::{GetResourceRequest, ListAllResourcesRequest};

use super::host_error::{self, HostAnswer};
use super::{Answer, Cause, Kind, Lookup, Object, read};
use crate::json::Json;

/// The host capabilities that the lookups use. `metadata.yml` declares the same ones.
pub const CAPABILITIES: [&str; 2] = [GET_RESOURCE, LIST_RESOURCES_ALL];
const GET_RESOURCE: &str = "kubernetes/get_resource";
const LIST_RESOURCES_ALL: &str = "kubernetes/list_resources_all";

/// The cluster behind the waPC host.
#[derive(Debug, Clone, Copy, Default)]
pub struct Host;

impl Lookup for Host {
    fn get(&self, kind: Kind, namespace: &str, name: &str) -> Result<Answer<Object>, Cause> {
        let request = GetResourceRequest {
            api_version: kind.api_version().to_owned(),
            kind: kind.name().to_owned(),
            name: name.to_owned(),
            // The host takes a namespace for a cluster-scoped kind, but caches and words it differently.
            namespace: kind.namespaced().then(|| namespace.to_owned()),
            disable_cache: true,
            // A mask keeps the whole metadata, so it saves a get next to nothing.
            field_masks: None,
        };
        let answer = call(GET_RESOURCE, &request)?;
        Ok(match answer {
            Answer::Present(bytes) => {
                let document = Json::parse(&bytes).map_err(|_| Cause::Unreadable)?;
                // A name that leaves its place in the URL would bring another kind. Not every answer says its kind.
                if document.string("kind").map_err(|_| Cause::OtherObject)?.is_some_and(|found| found != kind.name()) {
                    return Err(Cause::OtherObject);
                }
                Answer::Present(read::object(kind, &document).map_err(|_| Cause::Unreadable)?)
            }
            Answer::Absent => Answer::Absent,
            Answer::NotServed => Answer::NotServed,
        })
    }

    fn list(&self, kind: Kind) -> Result<Answer<Vec<Object>>, Cause> {
        let request = ListAllResourcesRequest {
            api_version: kind.api_version().to_owned(),
            kind: kind.name().to_owned(),
            // Each distinct selector or mask would start another watch that lives as long as the server.
            label_selector: None,
            field_selector: None,
            field_masks: None,
        };
        Ok(match call(LIST_RESOURCES_ALL, &request)? {
            Answer::Present(bytes) => {
                let document = Json::parse(&bytes).map_err(|_| Cause::Unreadable)?;
                let Some(Json::Array(items)) = document.key("items") else {
                    return Err(Cause::OtherObject);
                };
                let objects = items.iter().map(|item| {
                    if item.string("kind").map_err(|_| Cause::OtherObject)?.is_some_and(|found| found != kind.name()) {
                        return Err(Cause::OtherObject);
                    }
                    read::object(kind, item).map_err(|_| Cause::Unreadable)
                });
                Answer::Present(objects.collect::<Result<_, _>>()?)
            }
            Answer::Absent => Answer::Absent,
            Answer::NotServed => Answer::NotServed,
        })
    }
}

fn call(capability: &str, request: &impl serde::Serialize) -> Result<Answer<Vec<u8>>, Cause> {
    let (namespace, operation) = capability.split_once('/').unwrap_or_default();
    let message = serde_json::to_vec(request).map_err(|_| Cause::Unknown)?;
    match wapc_guest::host_call("kubewarden", namespace, operation, &message) {
        Ok(bytes) => Ok(Answer::Present(bytes)),
        Err(error) => match host_error::parse(&error.to_string()) {
            HostAnswer::Absent => Ok(Answer::Absent),
            HostAnswer::NotServed => Ok(Answer::NotServed),
            HostAnswer::Failed(cause) => Err(cause),
        },
    }
}
