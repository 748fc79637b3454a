//! The host puts names into URLs as they are: no call carries a name that no object can have, wherever it comes from.

mod scenes;

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use vmdisk_e2e::package_folder;
use vmdisk_host::{Answer, Answers, HostCall, Outcome, Request, texts};

use scenes::{Scene, scenes};

use crate::support::{Answered, POLICY, each, payload};

/// A name that an object can have, and that no object of the cluster has.
const VALID: &str = "looked-up";

/// Names that no object can have: those recorded on a real host, and others.
fn hostile() -> Vec<String> {
    let path = package_folder().join("../host/tests/data/names-that-leave-the-path.json");
    let recorded: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut names: Vec<String> = recorded
        .iter()
        .flat_map(|recording| [&recording["name"], &recording["namespace"]])
        .map(|name| name.as_str().unwrap().to_owned())
        .filter(|name| !could_be_a_name(name))
        .collect();
    let others =
        [".", "..", "?", "/", "-a", "a-", "a..b", "a.", "a b", "a%00", "a\0", "a\tb", "\r\n", "\u{7f}", "A", "a_b"];
    names.extend(others.map(str::to_owned));
    names.extend(
        ["\u{202e}a", "\u{feff}", "\u{200b}", "ａ", "a\u{301}", "[LookupFailed] a", "a\" b", "$(a)", "{{ a }}"]
            .map(str::to_owned),
    );
    names.push("a".repeat(254));
    names.push("a/".repeat(100_000));
    names.sort();
    names.dedup();
    names
}

/// RFC 1123 in other words than the policy's own: no more than 253 characters, in parts of lower case letters, digits
/// and hyphens, which begin and end with none.
fn could_be_a_name(name: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('-')
            && !part.ends_with('-')
            && part.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-'))
    };
    name.chars().count() <= 253 && name.split('.').all(part)
}

fn is_fit_for_a_url(call: &HostCall) -> bool {
    let namespace = |text: &str| could_be_a_name(text) && !text.contains('.') && text.len() <= 63;
    call.request.name().is_none_or(could_be_a_name) && call.request.namespace().is_none_or(namespace)
}

impl Scene {
    /// The answer with another name in one of the places; `None`: the settings are refused.
    fn with(&self, place: &str, name: &str) -> Option<Answered> {
        let (mut request, mut settings, mut objects) =
            (self.request.clone(), self.settings.clone(), self.objects.clone());
        let set = |document: &mut Value, pointer: &str| {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            let parent = document.pointer_mut(parent).unwrap_or_else(|| panic!("{}: {place}", self.what));
            match parent {
                Value::Array(items) => items[key.parse::<usize>().unwrap()] = name.into(),
                parent => parent[key] = name.into(),
            }
        };
        if place.starts_with('/') {
            set(&mut request, place);
        } else if let Some(pointer) = place.strip_prefix("settings") {
            if pointer.starts_with("/vmDisk") {
                settings["vmDisk"] = json!({});
            }
            set(&mut settings, pointer);
        } else {
            let (kind, rest) = place.split_once(' ').unwrap();
            let (object, pointer) = rest.split_at(rest.find('/').unwrap());
            let found = objects.iter_mut().find(|o| o["kind"] == kind && o["metadata"]["name"] == object);
            set(found.unwrap(), pointer);
        }
        // A policy with settings that are not valid is never asked.
        let valid = POLICY.validate_settings(&settings).unwrap();
        let what = format!("{}: {place} is {name:.40?}", self.what);
        (valid["valid"] == true).then(|| {
            Answered::of(
                &payload(&request, &settings),
                Arc::new(Scenery { known_as: self.objects.clone(), objects }),
                &what,
            )
        })
    }
}

/// A cluster that gives its objects out under the names that they had, even where they say another one.
struct Scenery {
    known_as: Vec<Value>,
    objects: Vec<Value>,
}

impl Answers for Scenery {
    fn answer(&self, request: &Request) -> Answer {
        let (api_version, kind) = request.kind().unwrap();
        let known = self.known_as.iter().zip(&self.objects).filter(|(known, _)| known["kind"] == kind);
        let Some(name) = request.name() else {
            let items: Vec<&Value> = known.map(|(_, object)| object).collect();
            return Answer::ok(json!({"items": items}).to_string(), Outcome::Items(items.len()));
        };
        let metadata = |known: &Value, key: &str| known["metadata"][key].as_str().map(str::to_owned);
        let is_it = |known: &Value| {
            metadata(known, "name").as_deref() == Some(name)
                && metadata(known, "namespace").as_deref() == request.namespace()
        };
        let found = known.into_iter().find(|(known, _)| is_it(known));
        found.map_or_else(
            || Answer::error(texts::absent(api_version, kind, name, request.namespace()), Outcome::Absent),
            |(_, object)| Answer::ok(object.to_string(), Outcome::Found),
        )
    }
}

#[test]
fn no_call_carries_a_name_that_no_object_can_have_whichever_field_it_comes_from() {
    let scenes = scenes();
    let names = hostile();
    assert!(names.len() >= 35, "{}", names.len());
    let places: Vec<(&Scene, &str, bool)> = scenes
        .iter()
        .flat_map(|scene| {
            let looked_up = scene.places.iter().map(move |place| (scene, *place, true));
            looked_up.chain(scene.compared.iter().map(move |place| (scene, *place, false)))
        })
        .collect();
    let problems = Mutex::new(Vec::new());
    each(&places, |(scene, place, is_looked_up)| {
        // The place is one: a name that an object can have is asked for.
        let valid = scene.with(place, VALID).unwrap();
        let calls: Vec<String> = valid.calls.iter().map(|call| call.request.to_string()).collect();
        if calls.iter().any(|call| call.contains(VALID)) != *is_looked_up {
            problems.lock().unwrap().push(format!("{}: {place}: is it looked up? {calls:?}", scene.what));
        }
        for name in &names {
            let calls = scene.with(place, name).map(|answered| answered.calls).unwrap_or_default();
            if let Some(odd) = calls.iter().find(|call| !is_fit_for_a_url(call)) {
                problems.lock().unwrap().push(format!("{}: {place} is {name:.40?}: {odd}", scene.what));
            }
        }
    });
    let looked_up = places.iter().filter(|(_, _, is_looked_up)| *is_looked_up).count();
    println!("{} fields, {looked_up} of them looked up, {} names each", places.len(), names.len());
    let problems = problems.into_inner().unwrap();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
