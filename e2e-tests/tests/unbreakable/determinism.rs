//! The same request and cluster give the same bytes and the same calls, whatever the order of anything.

use std::sync::Arc;

use serde_json::{Value, json};
use vmdisk_e2e::load_cases;
use vmdisk_host::{Answer, Answers, Cluster, HostCall, Request};

use crate::support::{Answered, each};

const TIMES: u64 = 10;

/// Small, and the same on every machine: xorshift.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.roll(last + 1));
        }
    }
}

/// The document with the keys of all objects in another order.
fn reordered(value: &Value, dice: &mut Dice) -> String {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<String> =
                map.iter().map(|(key, value)| format!("{}:{}", json!(key), reordered(value, dice))).collect();
            dice.shuffle(&mut entries);
            format!("{{{}}}", entries.join(","))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| reordered(item, dice)).collect();
            format!("[{}]", items.join(","))
        }
        scalar => scalar.to_string(),
    }
}

/// A cluster whose lists are in another order. The keys of its objects are not: the API server sorts them.
struct Shuffled {
    cluster: Cluster,
    seed: u64,
}

impl Answers for Shuffled {
    fn may_use(&self, capability: &str) -> bool {
        self.cluster.may_use(capability)
    }

    fn may_read(&self, api_version: &str, kind: &str) -> bool {
        self.cluster.may_read(api_version, kind)
    }

    fn answer(&self, request: &Request) -> Answer {
        let mut answer = self.cluster.answer(request);
        let document = answer.response.as_ref().ok().and_then(|bytes| serde_json::from_slice::<Value>(bytes).ok());
        if let Some(mut document) = document
            && let Some(items) = document.get_mut("items").and_then(Value::as_array_mut)
        {
            Dice(self.seed).shuffle(items);
            answer.response = Ok(document.to_string().into_bytes());
        }
        answer
    }
}

#[test]
fn ten_times_with_everything_shuffled_every_case_gives_the_same_bytes_and_the_same_calls() {
    let cases: Vec<_> = load_cases().unwrap().into_iter().map(|(_, case)| case.unwrap()).collect();
    let requests: Vec<_> = cases.iter().flat_map(|case| case.requests.iter().map(move |r| (case, r))).collect();
    each(&requests, |(case, request)| {
        let cluster = Cluster::new(&case.manifests).unwrap();
        let mut first: Option<Answered> = None;
        for time in 0..TIMES {
            let seed = 0x9e37_79b9_7f4a_7c15 + time;
            let settings = reordered(&case.settings, &mut Dice(seed));
            let shuffled = reordered(&request.request, &mut Dice(seed));
            let payload = format!("{{\"request\":{shuffled},\"settings\":{settings}}}");
            let answers = Shuffled { cluster: cluster.clone(), seed };
            let answered = Answered::of(payload.as_bytes(), Arc::new(answers), &request.name);
            let first = first.get_or_insert_with(|| answered.clone());
            let bytes = |answered: &Answered| String::from_utf8(answered.bytes.clone()).unwrap();
            assert_eq!(bytes(&answered), bytes(first), "{} with seed {seed}", request.name);
            let asked = |calls: &[HostCall]| calls.iter().map(|call| call.request.clone()).collect::<Vec<_>>();
            assert_eq!(asked(&answered.calls), asked(&first.calls), "{} with seed {seed}", request.name);
        }
    });
    println!("{} requests, {TIMES} times each", requests.len());
}
