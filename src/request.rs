//! The admission request: what is asked, and of which kind.

use crate::json::Keep::{self, Everything, Only};
use crate::json::{Json, WrongType};

/// What is kept of the payload that the host sends: what the policy reads of a request, the specs of its objects, and
/// the settings.
pub const PAYLOAD: Keep = Only(&[("request", REQUEST), ("settings", Everything)]);

const REQUEST: Keep = Only(&[
    ("kind", Everything),
    ("operation", Everything),
    ("subResource", Everything),
    ("name", Everything),
    ("namespace", Everything),
    ("object", OBJECT),
    ("oldObject", Only(&[("spec", Everything)])),
]);
const OBJECT: Keep = Only(&[("metadata", METADATA), ("spec", Everything)]);
const METADATA: Keep = Only(&[
    ("name", Everything),
    ("namespace", Everything),
    ("labels", Everything),
    ("annotations", Everything),
    ("ownerReferences", Everything),
    ("deletionTimestamp", Everything),
]);

/// What is done to the object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `CREATE`
    Create,
    /// `UPDATE`
    Update,
    /// `DELETE` and `CONNECT`: never judged.
    Other,
}

/// The kinds of object that are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgedKind {
    /// `VMDisk` of `apps.cozystack.io`
    VmDisk,
    /// `DataVolume` of `cdi.kubevirt.io`
    DataVolume,
    /// `VirtualMachine` of `kubevirt.io`
    VirtualMachine,
}

impl JudgedKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::VmDisk, Self::DataVolume, Self::VirtualMachine];

    /// The API group.
    #[must_use]
    pub const fn group(self) -> &'static str {
        match self {
            Self::VmDisk => "apps.cozystack.io",
            Self::DataVolume => "cdi.kubevirt.io",
            Self::VirtualMachine => "kubevirt.io",
        }
    }

    /// The name of the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::VmDisk => "VMDisk",
            Self::DataVolume => "DataVolume",
            Self::VirtualMachine => "VirtualMachine",
        }
    }

    /// Dispatch is on group and kind. The version does not matter, and `request.resource` says nothing: the audit
    /// scanner writes the kind there.
    fn of(group: &str, kind: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.group() == group && known.name() == kind)
    }
}

/// A request for an object of a judged kind.
#[derive(Debug, Clone)]
pub struct Request<'r, 'a> {
    /// The kind.
    pub kind: JudgedKind,
    /// What is done.
    pub operation: Operation,
    /// `name`: empty where the API server has yet to generate it.
    pub name: &'r str,
    /// `namespace`
    pub namespace: &'r str,
    /// `object`
    pub object: &'r Json<'a>,
    /// `oldObject`
    pub old_object: Option<&'r Json<'a>>,
}

/// What a request is to the policy.
#[derive(Debug, Clone)]
pub enum Parsed<'r, 'a> {
    /// Nothing that is judged.
    NotJudged,
    /// A request that is judged.
    Judged(Request<'r, 'a>),
}

impl<'r, 'a> Parsed<'r, 'a> {
    /// Reads `request` of the payload.
    ///
    /// # Errors
    /// A field that the policy needs is missing or has the wrong type.
    pub fn parse(request: &'r Json<'a>) -> Result<Self, WrongType> {
        if !matches!(request, Json::Object(_)) {
            return Err(WrongType::new("request", "an object", request));
        }
        let text = |key: &str| request.string_at(key).map(Option::unwrap_or_default);
        let kind = request.key("kind").unwrap_or(&Json::Null);
        let in_kind = |key: &str| match kind {
            Json::Object(_) | Json::Null => {
                kind.string_at(key).map(Option::unwrap_or_default).map_err(|error| error.under("kind"))
            }
            other => Err(WrongType::new("kind", "an object", other)),
        };
        let Some(kind) = JudgedKind::of(in_kind("group")?, in_kind("kind")?) else {
            return Ok(Self::NotJudged);
        };
        let operation = match text("operation")? {
            "CREATE" => Operation::Create,
            "UPDATE" => Operation::Update,
            "DELETE" | "CONNECT" => Operation::Other,
            _ => {
                return Err(WrongType {
                    path: "request.operation".to_owned(),
                    expected: "CREATE, UPDATE, DELETE or CONNECT",
                    found: "something else",
                });
            }
        };
        // The API server takes nothing but the status from a request to the status: the spec cannot change there.
        let sub_resource = text("subResource")?;
        if operation == Operation::Other || !sub_resource.is_empty() {
            return Ok(Self::NotJudged);
        }
        let object = match request.key("object") {
            Some(object @ Json::Object(_)) => object,
            Some(other) => return Err(WrongType::new("request.object", "an object", other)),
            None => return Err(WrongType::new("request.object", "an object", &Json::Null)),
        };
        // An object on its way out is let go, whatever it says: removing the last finalizer is an UPDATE.
        let metadata = match object.key("metadata") {
            None => &Json::Null,
            Some(metadata @ Json::Object(_)) => metadata,
            Some(other) => return Err(WrongType::new("metadata", "an object", other)),
        };
        let in_metadata = |key: &str| metadata.string_at(key).map_err(|error| error.under("metadata"));
        if in_metadata("deletionTimestamp")?.is_some() {
            return Ok(Self::NotJudged);
        }
        let old_object = match request.key("oldObject") {
            Some(object @ Json::Object(_)) => Some(object),
            Some(other) => return Err(WrongType::new("request.oldObject", "an object", other)),
            None if operation == Operation::Update => {
                return Err(WrongType::new("request.oldObject", "an object", &Json::Null));
            }
            None => None,
        };
        let of_object = |key: &str| -> Result<&'r str, WrongType> {
            match in_metadata(key)? {
                Some(text) if !text.is_empty() => Ok(text),
                _ => text(key),
            }
        };
        Ok(Self::Judged(Request {
            kind,
            operation,
            name: of_object("name")?,
            namespace: of_object("namespace")?,
            object,
            old_object,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn error(text: &str) -> String {
        Parsed::parse(&Json::parse(text.as_bytes()).unwrap()).unwrap_err().to_string()
    }

    #[rstest]
    #[case("7", "request: expected an object, found a number")]
    #[case(r#"{"kind":[]}"#, "kind: expected an object, found a list")]
    #[case(
        r#"{"kind":{"group":"cdi.kubevirt.io","kind":"DataVolume"},"operation":"PATCH"}"#,
        "request.operation: expected CREATE, UPDATE, DELETE or CONNECT, found something else"
    )]
    #[case(
        r#"{"kind":{"group":"cdi.kubevirt.io","kind":"DataVolume"},"operation":"CREATE"}"#,
        "request.object: expected an object, found null"
    )]
    #[case(
        r#"{"kind":{"group":"cdi.kubevirt.io","kind":"DataVolume"},"operation":"UPDATE","object":{}}"#,
        "request.oldObject: expected an object, found null"
    )]
    #[case(
        r#"{"kind":{"group":"cdi.kubevirt.io","kind":"DataVolume"},"operation":"CREATE","object":{"metadata":[]}}"#,
        "metadata: expected an object, found a list"
    )]
    fn what_is_wrong_is_named(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(error(text), expected);
    }

    #[rstest]
    #[case(r#"{"kind":{"group":"","kind":"Pod"},"operation":"CREATE","object":7}"#)]
    #[case(r#"{"kind":{"group":"example.com","kind":"DataVolume"},"operation":"CREATE","object":{}}"#)]
    #[case(r#"{"kind":{"group":"cdi.kubevirt.io","kind":"DataVolume"},"operation":"DELETE"}"#)]
    #[case(
        r#"{"kind":{"group":"cdi.kubevirt.io","kind":"DataVolume"},"operation":"UPDATE",
            "object":{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}}}"#
    )]
    fn what_is_not_judged(#[case] text: &str) {
        assert!(matches!(Parsed::parse(&Json::parse(text.as_bytes()).unwrap()), Ok(Parsed::NotJudged)));
    }

    #[test]
    fn the_name_of_the_request_serves_where_the_object_has_none() {
        let text = r#"{"kind":{"group":"cdi.kubevirt.io","kind":"DataVolume"},"operation":"CREATE","name":"n",
            "namespace":"ns","object":{"metadata":{"generateName":"x-"}}}"#;
        let document = Json::parse(text.as_bytes()).unwrap();
        let Ok(Parsed::Judged(request)) = Parsed::parse(&document) else { panic!("judged") };
        assert_eq!((request.name, request.namespace), ("n", "ns"));
    }
}
