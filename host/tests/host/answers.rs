//! Objects and lists come as a real host gives them: compared with payloads recorded on a real cluster.

use crate::common::{call, cluster, data, recorded};
use serde_json::{Value, json};
use vmdisk_host::{Cluster, Manifests, Outcome};

/// The objects of the recorded payloads, each as complete as any payload has it.
fn manifests(payloads: &[Value]) -> String {
    let mut objects: Vec<Value> = Vec::new();
    for payload in payloads {
        let payload = &payload["payload"];
        let items = match payload["items"].as_array() {
            // Items of built-in kinds do not say what they are, and lists leave fields out.
            Some(_) => continue,
            None => vec![payload.clone()],
        };
        for item in items {
            let same = |object: &Value| {
                object["kind"] == item["kind"] && object["metadata"]["name"] == item["metadata"]["name"]
            };
            match objects.iter_mut().find(|object| same(object)) {
                Some(object) => union(object, &item),
                None => objects.push(item),
            }
        }
    }
    objects.iter().map(|object| format!("---\n{object}\n")).collect()
}

fn union(object: &mut Value, other: &Value) {
    for (key, value) in other.as_object().unwrap() {
        match object.as_object_mut().unwrap().entry(key.clone()) {
            serde_json::map::Entry::Vacant(entry) => {
                entry.insert(value.clone());
            }
            serde_json::map::Entry::Occupied(mut entry) if entry.get().is_object() => union(entry.get_mut(), value),
            serde_json::map::Entry::Occupied(_) => {}
        }
    }
}

#[test]
fn masked_objects_are_the_recorded_ones() {
    let payloads: Vec<Value> = serde_json::from_str(&data("payloads.json")).unwrap();
    let cluster = cluster(&manifests(&payloads));
    let mut compared = 0;
    for payload in payloads.iter().filter(|payload| payload["call"]["op"] == "get") {
        // Array items of different payloads cannot be put together; `tests` of `mask` has those.
        if payload["call"]["kind"] == "StorageProfile" {
            continue;
        }
        let (operation, call_payload) = recorded(&payload["call"]);
        let (answer, call) = call(cluster.clone(), operation, &call_payload);
        assert_eq!(answer.unwrap(), payload["payload"], "{}", payload["case"]);
        assert_eq!(call.outcome, Outcome::Found);
        compared += 1;
    }
    assert!(compared >= 8, "{compared}");
}

/// The cluster that has exactly the items of a recorded list, completed with what the list left out.
fn items_of(list: &Value) -> Cluster {
    let text: String = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            let mut item = item.clone();
            item["metadata"]["managedFields"] = json!([{"manager": "kubectl"}]);
            item["metadata"]["annotations"]["kubectl.kubernetes.io/last-applied-configuration"] = json!("{}");
            item["unasked"] = json!(1);
            item["apiVersion"] = list["apiVersion"].clone();
            item["kind"] = json!(list["kind"].as_str().unwrap().strip_suffix("List").unwrap());
            format!("---\n{item}\n")
        })
        .collect();
    cluster(&text)
}

#[test]
fn lists_are_the_recorded_ones() {
    let payloads: Vec<Value> = serde_json::from_str(&data("payloads.json")).unwrap();
    let lists: Vec<_> = payloads.iter().filter(|payload| payload["call"]["op"] != "get").collect();
    assert!(lists.len() >= 5);
    for payload in lists {
        let (operation, call_payload) = recorded(&payload["call"]);
        let (answer, _) = call(items_of(&payload["payload"]), operation, &call_payload);
        let mut answer = answer.unwrap();
        for item in answer["items"].as_array_mut().unwrap() {
            let unasked = item.as_object_mut().unwrap().remove("unasked");
            assert_eq!(unasked.is_none(), payload["call"]["fieldMasks"].is_array(), "{}", payload["case"]);
        }
        assert_eq!(answer, payload["payload"], "{}", payload["case"]);
    }
}

#[test]
fn the_order_of_a_list_depends_on_the_seed() {
    let names = |seed: &str| -> Vec<String> {
        let objects: String = (0..9)
            .map(|n| format!("---\n{{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {{name: c{n}}}}}\n"))
            .collect();
        let text = format!("{objects}---\n{{apiVersion: vmdisk-check/v1, kind: Cluster, {seed}}}\n");
        let list = json!({"op": "list", "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass"});
        let (operation, payload) = recorded(&list);
        let (answer, call) = call(cluster(&text), operation, &payload);
        assert_eq!(call.outcome, Outcome::Items(9));
        let items = answer.unwrap()["items"].as_array().unwrap().clone();
        items.iter().map(|item| item["metadata"]["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("")[..3], ["c0", "c1", "c2"]);
    assert_eq!(names("shuffle: 1"), names("shuffle: 1"));
    assert_ne!(names("shuffle: 1"), names("shuffle: 2"));
}

#[test]
fn answers_word_for_word() {
    let text = "
apiVersion: vmdisk-check/v1
kind: Cluster
answers:
  - {kind: StorageClass, name: raw, body: 'not JSON'}
  - {kind: StorageClass, name: other, body: {apiVersion: v1, kind: Secret}}
  - {kind: StorageClass, name: error, error: oh}
  - {kind: StorageClass, name: host, hostError: ah}
  - {kind: StorageClass, body: [1]}
";
    let get = |name: &str| {
        let get = json!({"op": "get", "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "name": name, "namespace": null});
        let (operation, payload) = recorded(&get);
        call(cluster(text), operation, &payload)
    };
    assert_eq!(get("other").0.unwrap(), json!({"apiVersion": "v1", "kind": "Secret"}));
    assert_eq!(get("error").0.unwrap_err(), "Callback evaluation failure: oh");
    assert_eq!(get("host").0.unwrap_err(), "ah");
    assert_eq!(get("host").1.outcome, Outcome::Verbatim);
    let list = json!({"op": "list", "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass"});
    let (operation, payload) = recorded(&list);
    assert_eq!(call(cluster(text), operation, &payload).0.unwrap(), json!([1]));
}

#[test]
fn a_cluster_is_read_from_a_folder_in_order() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cluster");
    std::fs::create_dir_all(folder.join("b")).unwrap();
    let class = |name| {
        format!(
            "{{\"apiVersion\": \"storage.k8s.io/v1\", \"kind\": \"StorageClass\", \"metadata\": {{\"name\": \"{name}\"}}}}"
        )
    };
    std::fs::write(folder.join("c.json"), class("third")).unwrap();
    std::fs::write(folder.join("b/x.yml"), class("second")).unwrap();
    std::fs::write(folder.join("a.yaml"), class("first")).unwrap();
    std::fs::write(folder.join("README.md"), "not a manifest").unwrap();
    let cluster = Cluster::load(&folder).unwrap();
    let names: Vec<&Value> = cluster.objects().iter().map(|object| &object["metadata"]["name"]).collect();
    assert_eq!(names, ["first", "second", "third"]);
    let missing = Manifests::load(folder.join("nothing.yaml")).unwrap_err().to_string();
    assert!(missing.contains("nothing.yaml: No such file"), "{missing}");
}
