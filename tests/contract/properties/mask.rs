//! What is stepped over while a payload is read decides nothing: a request that is read through the mask of the module
//! is judged like the same request read whole.

use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use vmdisk_policy::json::{Json, Keep};
use vmdisk_policy::judge::judge;
use vmdisk_policy::request::PAYLOAD;
use vmdisk_policy::settings::{Problem, Settings};
use vmdisk_policy::verdict::Verdict;

use super::cases;
use super::generated::{By, case};
use super::hostile::{misplace, wrong};
use crate::common::*;

/// A payload, and the cluster in which its request is judged.
#[derive(Debug, Clone)]
struct Sent {
    world: World,
    payload: String,
}

/// What became of a payload: its request's verdict, and the lookups that it took. `None`: there is no request.
type Outcome = Result<Option<(Verdict, Vec<Call>)>, Vec<Problem>>;

impl Sent {
    /// What becomes of it where only this is read of it: what the module does with a payload.
    fn read_as(&self, mask: &Keep) -> Outcome {
        let payload = Json::parse_keeping(self.payload.as_bytes(), mask).unwrap();
        let settings = Settings::parse(payload.key("settings"))?;
        let lookup = self.world.lookup();
        let verdict = payload.key("request").map(|request| judge(request, &settings, &lookup));
        Ok(verdict.map(|verdict| (verdict, lookup.calls())))
    }
}

/// Where something is put into a request, and what: fields that requests have beside those that are read, fields that
/// are read, and fields that look like them.
fn additions() -> Vec<(&'static [&'static str], Value)> {
    let fields = json!([{"manager": "kubectl", "operation": "Update", "fieldsV1": {"f:spec": {"f:source": {}}}}]);
    let owner = |group: &str, kind: &str| json!([{"apiVersion": format!("{group}/v1"), "kind": kind, "name": "owner"}]);
    let cron = json!({"cdi.kubevirt.io/dataImportCron": "cron"});
    vec![
        (&["dryRun"], true.into()),
        (&["userInfo"], json!({"username": "someone", "groups": ["a", "b"]})),
        (&["options"], json!({"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1"})),
        (&["requestKind"], json!({"group": "", "version": "v1", "kind": "Pod"})),
        (&["resource"], json!({"group": "kubevirt.io", "version": "v1", "resource": "DataVolume"})),
        (&["settings"], json!({"rules": {"immutability": "off"}})),
        (&["metadata"], json!({"deletionTimestamp": "2026-01-01T00:00:00Z", "name": "other"})),
        (&["spec"], json!({"storage": 7})),
        (&["Object"], json!({"spec": 7})),
        (&["objects"], json!([7])),
        (&["oldobject"], Value::Null),
        (&["subResource"], "status".into()),
        (&["subResource"], "".into()),
        (&["subResource"], 7.into()),
        (&["SubResource"], "status".into()),
        (&["requestSubResource"], "status".into()),
        (&["name"], "other".into()),
        (&["namespace"], "tenant-other".into()),
        (&["operation"], "DELETE".into()),
        (&["operation"], "PATCH".into()),
        (&["object", "status"], json!({"phase": "Succeeded", "conditions": [{"type": "Ready"}]})),
        (&["object", "status"], 7.into()),
        (&["object", "Spec"], json!({"source": {"blank": {}}})),
        (&["object", "data"], json!({"spec": {"storage": 7}, "metadata": []})),
        (&["object", "kind"], 7.into()),
        (&["object", "apiVersion"], Value::Null),
        (&["object", "spec", "status"], json!({"phase": "Pending"})),
        (&["object", "spec", "managedFields"], fields.clone()),
        (&["object", "spec", "contentType"], 7.into()),
        (&["object", "metadata", "name"], "".into()),
        (&["object", "metadata", "name"], "other".into()),
        (&["object", "metadata", "namespace"], Value::Null),
        (&["object", "metadata", "namespace"], "tenant-other".into()),
        (&["object", "metadata", "generateName"], "disk-".into()),
        (&["object", "metadata", "uid"], "00000000-0000-4000-8000-000000000000".into()),
        (&["object", "metadata", "generation"], json!(-1.5e300)),
        (&["object", "metadata", "resourceVersion"], json!({"deletionTimestamp": "x"})),
        (&["object", "metadata", "creationTimestamp"], "2026-01-01T00:00:00Z".into()),
        (&["object", "metadata", "deletionTimestamp"], "2026-01-01T00:00:00Z".into()),
        (&["object", "metadata", "deletionTimestamp"], Value::Null),
        (&["object", "metadata", "deletionTimestamp"], 7.into()),
        (&["object", "metadata", "deletionGracePeriodSeconds"], 0.into()),
        (&["object", "metadata", "finalizers"], json!(["cdi.kubevirt.io/dataVolumeFinalizer"])),
        (&["object", "metadata", "finalizers"], 7.into()),
        (&["object", "metadata", "managedFields"], fields),
        (&["object", "metadata", "managedFields"], json!({"deletionTimestamp": "\"}}\\"})),
        (&["object", "metadata", "labels"], json!({"cdi.kubevirt.io/applyStorageProfile": "true"})),
        (&["object", "metadata", "labels"], cron.clone()),
        (&["object", "metadata", "labels"], json!({"a": null, "b": 7})),
        (&["object", "metadata", "labels"], Value::Null),
        (&["object", "metadata", "label"], cron),
        (&["object", "metadata", "annotations"], json!({"cdi.kubevirt.io/storage.usePopulator": "true"})),
        (&["object", "metadata", "annotations"], json!({"kubectl.kubernetes.io/last-applied-configuration": "{}"})),
        (&["object", "metadata", "annotations"], json!({"cdi.kubevirt.io/storage.usePopulator": true})),
        (&["object", "metadata", "annotations"], json!([])),
        (&["object", "metadata", "ownerReferences"], owner("kubevirt.io", "VirtualMachine")),
        (&["object", "metadata", "ownerReferences"], owner("apps", "Deployment")),
        (&["object", "metadata", "ownerReferences"], json!({"kind": "VirtualMachine"})),
        (&["object", "metadata", "ownerReferences"], json!([{"kind": 7}])),
        (&["object", "metadata", "ownerreferences"], owner("kubevirt.io", "VirtualMachine")),
        (&["oldObject"], json!({"spec": {}})),
        (&["oldObject", "status"], json!({"phase": "Succeeded"})),
        (&["oldObject", "metadata", "deletionTimestamp"], "2026-01-01T00:00:00Z".into()),
        (&["oldObject", "metadata", "finalizers"], json!(["a"])),
        (&["oldObject", "metadata", "labels"], 7.into()),
        (&["oldObject", "metadata", "annotations"], json!({"cdi.kubevirt.io/storage.usePopulator": "true"})),
    ]
}

/// Puts a value at a path, where what stands above it is an object.
fn put(value: &mut Value, path: &[&str], added: &Value) {
    match (path, value) {
        ([last], Value::Object(entries)) => drop(entries.insert((*last).to_owned(), added.clone())),
        ([first, rest @ ..], Value::Object(entries)) => {
            if let Some(below) = entries.get_mut(*first) {
                put(below, rest, added);
            }
        }
        _ => {}
    }
}

/// A request for a VMDisk, a DataVolume or a VirtualMachine in a generated cluster, made or changed.
fn request() -> impl Strategy<Value = (World, Value)> {
    let old_class = proptest::option::of(select(vec!["local", "other"]));
    (case(), any::<bool>(), 0..3_usize, old_class).prop_map(|(mut case, of_machine, operation, old_class)| {
        case.data_volume_exists &= !of_machine;
        if of_machine && case.is_vm_disk() {
            case.ask.by = By::GoldenClaim;
        }
        let disk = case.manifest(case.ask.size.map_or(Value::Null, Value::from));
        let old = old_class.map_or(disk.clone(), |class| disk.clone().class(class));
        let (new, old) = if of_machine {
            (virtual_machine("vm", &[disk]), virtual_machine("vm", old_class.map(|_| old).as_slice()))
        } else {
            (disk, old)
        };
        (case.world(), if operation == 0 { new.update_of(&old) } else { new.create() })
    })
}

/// Payloads with more in them than is read, with a wrong type somewhere, and with a key that stands twice.
fn sent() -> impl Strategy<Value = Sent> {
    let misplaced = proptest::option::weighted(0.3, (proptest::collection::vec(any::<Index>(), 1..7), wrong()));
    let twice = proptest::option::weighted(0.1, (select(vec!["object", "oldObject", "name", "kind"]), wrong()));
    let settings = select(vec![
        json!({}),
        json!({}),
        Value::Null,
        json!({"rules": {"remoteVolumeAccess": "warn", "hostAssistedCopy": "deny"}, "cdiName": "other"}),
        json!({"rules": {"immutability": "never"}}),
    ]);
    (request(), subsequence(additions(), 0..8), misplaced, twice, settings).prop_map(
        |((world, mut request), additions, misplaced, twice, settings)| {
            for (path, added) in &additions {
                put(&mut request, path, added);
            }
            if let Some((steps, wrong)) = misplaced {
                misplace(&mut request, &steps, wrong);
            }
            let mut request = request.to_string();
            if let (Some((key, value)), Some(open)) = (twice, request.strip_suffix('}')) {
                request = format!("{open}, \"{key}\": {value}}}");
            }
            Sent { world, payload: format!(r#"{{"extra": [{{}}], "request": {request}, "settings": {settings}}}"#) }
        },
    )
}

proptest! {
    #![proptest_config(cases(5_000))]

    #[test]
    fn a_request_read_through_the_mask_is_judged_like_the_same_request_read_whole(sent in sent()) {
        prop_assert_eq!(sent.read_as(&PAYLOAD), sent.read_as(&Keep::Everything));
    }
}

/// A mask as it is with one key less, for each key at any depth, and the path of that key.
fn thinned(mask: &Keep) -> Vec<(String, Keep)> {
    let Keep::Only(keys) = mask else { return Vec::new() };
    let mut result = Vec::new();
    for (index, (key, below)) in keys.iter().enumerate() {
        let mut less = keys.to_vec();
        less.remove(index);
        result.push(((*key).to_owned(), Keep::Only(less.leak())));
        for (path, below) in thinned(below) {
            let mut less = keys.to_vec();
            less[index] = (key, below);
            result.push((format!("{key}.{path}"), Keep::Only(less.leak())));
        }
    }
    result
}

/// So the property above would notice if the mask lacked a key. What is kept of the old object's metadata decides
/// nothing: it is there because both objects have one mask.
#[test]
fn every_key_of_the_mask_decides_some_request() {
    let (mut runner, strategy) = (TestRunner::deterministic(), sent());
    let sent: Vec<Sent> = (0..3_000).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect();
    let whole: Vec<Outcome> = sent.iter().map(|sent| sent.read_as(&Keep::Everything)).collect();
    for (path, mask) in thinned(&PAYLOAD) {
        if !path.starts_with("request.oldObject.metadata") {
            let differs = sent.iter().zip(&whole).any(|(sent, whole)| sent.read_as(&mask) != *whole);
            assert!(differs, "{path}");
        }
    }
}
