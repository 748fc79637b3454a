//! Modules are loaded, run and metered.

use std::sync::Arc;

use serde_json::{Value, json};
use vmdisk_host::{Cluster, Policy, PolicyError};

use crate::common::{cluster, data};

/// A module that runs this instead of a call.
fn module(body: &str) -> Vec<u8> {
    format!(
        r#"(module
          (import "wapc" "__guest_response" (func $respond (param i32 i32)))
          (memory (export "memory") 1)
          (data (i32.const 0) "{{}}")
          (func (export "__guest_call") (param i32 i32) (result i32) (local $i i32) {body}))"#
    )
    .into_bytes()
}

fn evaluate(policy: &Policy) -> Result<vmdisk_host::Evaluation, PolicyError> {
    policy.validate(&json!({}), &json!({}), &Cluster::default())
}

#[test]
fn a_trap_is_an_error() {
    let body = "(drop (local.get 0)) (drop (i32.load (i32.const -4))) (i32.const 1)";
    for policy in [Policy::from_bytes(&module(body)).unwrap(), Policy::metered_from_bytes(&module(body)).unwrap()] {
        let PolicyError::Guest { operation, text, .. } = evaluate(&policy).unwrap_err() else { panic!("no trap") };
        assert_eq!(operation, "validate");
        assert!(text.starts_with("Guest call failure: error while executing at wasm backtrace:"), "{text}");
    }
}

#[test]
fn an_answer_that_is_not_json_is_an_error() {
    let body = "(call $respond (i32.const 0) (i32.const 1)) (i32.const 1)";
    let error = evaluate(&Policy::from_bytes(&module(body)).unwrap()).unwrap_err().to_string();
    assert!(error.starts_with("validate answered what is not JSON: "), "{error}");
}

#[test]
fn what_is_no_module() {
    for bytes in [b"nonsense".as_slice(), b"(module (import \"x\" \"y\" (func)))", b""] {
        let error = Policy::from_bytes(bytes).unwrap_err();
        assert!(matches!(error, PolicyError::Module(_)), "{error}");
        assert!(matches!(Policy::metered_from_bytes(bytes).unwrap_err(), PolicyError::Module(_)));
    }
    let error = Policy::load("no/such.wasm").unwrap_err().to_string();
    assert!(error.starts_with("no/such.wasm: No such file"), "{error}");
}

#[test]
fn fuel_grows_with_the_work_and_repeats() {
    let turns = |turns: u32| {
        let body = format!(
            "(loop $again (local.set $i (i32.add (local.get $i) (i32.const 1)))
               (br_if $again (i32.lt_u (local.get $i) (i32.const {turns}))))
             (call $respond (i32.const 0) (i32.const 2)) (i32.const 1)"
        );
        evaluate(&Policy::metered_from_bytes(&module(&body)).unwrap()).unwrap().fuel.unwrap()
    };
    assert_eq!(turns(100), turns(100));
    let more = turns(1100) - turns(100);
    assert!((5_000..=10_000).contains(&more), "{more}");
    let body = "(call $respond (i32.const 0) (i32.const 2)) (i32.const 1)";
    assert_eq!(evaluate(&Policy::from_bytes(&module(body)).unwrap()).unwrap().fuel, None);
}

#[test]
fn a_metered_module_gets_the_same_answers() {
    let bytes = data("forward.wat").into_bytes();
    let cluster = cluster("{apiVersion: cdi.kubevirt.io/v1beta1, kind: CDI, metadata: {name: cdi}}");
    let get = |name: &str| {
        json!({"api_version": "cdi.kubevirt.io/v1beta1", "kind": "CDI", "name": name, "namespace": null,
            "disable_cache": false, "field_masks": null})
        .to_string()
    };
    let plain = Policy::from_bytes(&bytes).unwrap();
    let metered = Policy::metered_from_bytes(&bytes).unwrap();
    let ask = |policy: &Policy, name: &str| -> Result<Value, String> {
        let evaluation = policy.evaluate("get_resource", get(name).as_bytes(), Arc::new(cluster.clone()));
        evaluation.map(|evaluation| evaluation.response).map_err(|error| error.to_string())
    };
    for name in ["cdi", "other"] {
        assert_eq!(ask(&plain, name), ask(&metered, name));
    }
    assert!(ask(&plain, "cdi").is_ok() && ask(&plain, "other").is_err());
}
