//! Every case as a session that kwctl replays: `e2e-tests/sessions`, which `e2e-tests/e2e.bats` puts to kwctl.
//!
//! They are made of the cases, and committed, so that kwctl needs nothing of this workspace. `BLESS=1` writes them anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use vmdisk_e2e::{blessing, package_folder};
use vmdisk_host::request::for_kwctl;
use vmdisk_host::texts::HostError;
use vmdisk_host::{Evaluation, Replay, session};

use crate::{POLICY, each};

/// Requests without a session, and why.
const WITHOUT: &[(&str, &str)] = &[
    ("31b-helm-charts-4-profile-not-granted", "the host itself refuses what is not granted, before kwctl records"),
    ("lookup-failure-reject", "the same"),
];

/// The files of all sessions, by their place below `e2e-tests/sessions`.
fn sessions() -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut without = BTreeSet::new();
    each(|case, request, evaluation| {
        let of_the_host = evaluation.calls.iter().any(|call| matches!(call.response, Err(HostError::Host(_))));
        let (false, Ok(admission_request)) = (of_the_host, for_kwctl(&request.request)) else {
            without.insert(request.name.clone());
            return;
        };
        let folder = PathBuf::from(request.name.replace("::", "-"));
        let mut add = |name: &str, text: String| {
            assert_eq!(
                files.insert(folder.join(name), text),
                None,
                "two requests have the folder {}",
                folder.display()
            );
        };
        add("request.json", format!("{admission_request:#}\n"));
        add("session.yml", session::write(&session::of_calls(&evaluation.calls)).unwrap());
        if case.settings != json!({}) {
            add("settings.yml", format!("{:#}\n", case.settings));
        }
        add("expected.json", format!("{:#}\n", expected(evaluation)));
    });
    let listed: BTreeSet<String> = WITHOUT.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(without, listed, "the requests without a session, and those that are listed here");
    files
}

/// What is compared of kwctl's answer.
fn expected(evaluation: &Evaluation) -> Value {
    let field = |name| evaluation.response.get(name).cloned().unwrap_or_default();
    json!({"allowed": evaluation.accepted(), "code": field("code"), "message": field("message")})
}

fn committed(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    for session in fs::read_dir(folder).into_iter().flatten() {
        let session = session.unwrap();
        for file in fs::read_dir(session.path()).unwrap() {
            let file = file.unwrap();
            let text = fs::read_to_string(file.path()).unwrap();
            files.insert(PathBuf::from(session.file_name()).join(file.file_name()), text);
        }
    }
    files
}

#[test]
fn the_committed_sessions_are_those_of_the_cases_and_are_replayed_as_kwctl_does() {
    in_step();
    replayed();
}

fn in_step() {
    let root = package_folder().join("sessions");
    let sessions = sessions();
    if blessing() {
        if root.exists() {
            fs::remove_dir_all(&root).unwrap();
        }
        for (place, text) in &sessions {
            let path = root.join(place);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    let committed = committed(&root);
    let places: BTreeSet<_> = sessions.keys().chain(committed.keys()).collect();
    let differ: Vec<_> = places.into_iter().filter(|place| sessions.get(*place) != committed.get(*place)).collect();
    assert!(differ.is_empty(), "out of step with the cases; run with BLESS=1 and review the difference: {differ:?}");
}

fn replayed() {
    let root = package_folder().join("sessions");
    let mut sessions = 0;
    for folder in fs::read_dir(&root).unwrap() {
        let folder = folder.unwrap().path();
        let name = folder.display();
        let read = |file: &str| fs::read_to_string(folder.join(file));
        let json = |text: String| serde_json::from_str::<Value>(&text).unwrap();
        let replay = Replay::new(session::read(&read("session.yml").unwrap()).unwrap());
        let settings = read("settings.yml").map_or(json!({}), json);
        let request = json(read("request.json").unwrap());
        let evaluation = POLICY.validate_with(&request, &settings, Arc::new(replay.clone())).unwrap();
        assert_eq!(replay.mismatches(), Vec::<String>::new(), "{name}");
        assert_eq!(replay.leftovers(), [], "{name}");
        assert_eq!(expected(&evaluation), json(read("expected.json").unwrap()), "{name}");
        sessions += 1;
    }
    assert!(sessions > 0);
}
