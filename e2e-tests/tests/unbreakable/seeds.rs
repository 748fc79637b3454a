//! Seeds for the fuzz targets in `fuzz`, out of the cases and the vectors. `make fuzz` writes them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use vmdisk_e2e::{load_cases, package_folder};
use vmdisk_host::request::admission_request;
use vmdisk_policy::cluster::Kind;

use crate::cdi;
use crate::support::payload;

/// One in so many vectors: the fuzzer finds the ones between.
const ONE_IN: usize = 25;

/// The seeds of a target, each once.
struct Corpus {
    folder: PathBuf,
    seeds: BTreeSet<Vec<u8>>,
}

impl Corpus {
    fn of(target: &str) -> Self {
        let folder = package_folder().join("../fuzz/corpus").join(target);
        Self { folder, seeds: BTreeSet::new() }
    }

    fn add(&mut self, seed: impl Into<Vec<u8>>) {
        self.seeds.insert(seed.into());
    }

    fn write(self) {
        fs::create_dir_all(&self.folder).unwrap();
        for (number, seed) in self.seeds.iter().enumerate() {
            fs::write(self.folder.join(format!("seed-{number:04}")), seed).unwrap();
        }
        println!("{}: {} seeds", self.folder.file_name().unwrap().display(), self.seeds.len());
        assert!(!self.seeds.is_empty());
    }
}

/// Calls `found` with every text in a document.
fn texts(value: &Value, found: &mut impl FnMut(&str, &str), key: &str) {
    match value {
        Value::String(text) => found(key, text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found, key)),
        Value::Object(map) => map.iter().for_each(|(key, value)| texts(value, found, key)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn lines(file: &str) -> Vec<Value> {
    let text = fs::read_to_string(package_folder().join("../tests").join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
#[ignore = "writes files; `make fuzz` asks for it"]
fn seeds_are_written() {
    let mut validate = Corpus::of("validate");
    let mut settings = Corpus::of("settings");
    let mut quantity = Corpus::of("quantity");
    let mut host_answer = Corpus::of("host_answer");
    let mut spec_equality = Corpus::of("spec_equality");
    let mut of_object = |object: &Value| {
        let kind = Kind::ALL.iter().position(|kind| object["kind"] == kind.name());
        if let Some(kind) = kind.and_then(|kind| u8::try_from(kind).ok()) {
            host_answer.add([&[kind], object.to_string().as_bytes()].concat());
        }
        texts(
            object,
            &mut |key, text| {
                if matches!(key, "storage" | "restoreSize") {
                    quantity.add(text);
                }
            },
            "",
        );
    };
    for (_, case) in load_cases().unwrap() {
        let case = case.unwrap();
        settings.add(case.settings.to_string());
        case.manifests.objects().for_each(&mut of_object);
        for request in &case.requests {
            let request = &request.request;
            validate.add(payload(request, &case.settings));
            let specs = [&request["oldObject"]["spec"], &request["object"]["spec"]];
            spec_equality.add(specs.map(ToString::to_string).join("\0"));
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for vector in cdi::vectors_below(root).into_iter().step_by(ONE_IN) {
        vector.objects.iter().for_each(&mut of_object);
        validate.add(payload(&admission_request(&vector.data_volume).unwrap(), &Value::Null));
    }
    [validate, settings, quantity, host_answer, spec_equality].into_iter().for_each(Corpus::write);

    let mut access_policy = Corpus::of("access_policy");
    for vector in lines("vectors/linstor/given.jsonl") {
        texts(&vector, &mut |_, text| access_policy.add(text), "");
    }
    access_policy.write();
    let mut host_error = Corpus::of("host_error");
    for file in ["errors.json", "errors-backtrace.json"] {
        let text = fs::read_to_string(package_folder().join("../tests/data").join(file)).unwrap();
        let recorded: Value = serde_json::from_str(&text).unwrap();
        texts(
            &recorded["cases"],
            &mut |key, text| {
                if key == "text" {
                    host_error.add(text);
                }
            },
            "",
        );
    }
    host_error.write();
    let mut world = Corpus::of("world");
    (0..200).for_each(|seed| world.add(crate::agreement::bytes(seed)));
    world.write();
}
