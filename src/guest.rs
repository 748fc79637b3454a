//! The waPC glue: payload in, response out. Nothing is decided here.

use std::mem::ManuallyDrop;

use kubewarden_policy_sdk::wapc_guest::{CallResult, register_function};

use crate::cluster::{Cluster, Failure, host::Host};
use crate::json::{Json, write};
use crate::judge::judge_in;
use crate::settings::{Problem, Settings};
use crate::{request, response};

/// Registers the policy's functions. The host calls it once for each request.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "the attribute exports the module's entry point; the function does nothing unsafe")]
pub extern "C" fn wapc_init() {
    register_function("validate", validate);
    register_function("validate_settings", validate_settings);
    register_function("protocol_version", kubewarden_policy_sdk::protocol_version_guest);
}

fn validate(payload: &[u8]) -> CallResult {
    let payload = Json::parse_keeping(payload, &request::PAYLOAD)
        .map_err(|error| format!("the payload is not a JSON document: {error}"))?;
    // The instance ends with this call: taking things apart again would cost a tenth of a request.
    let payload = ManuallyDrop::new(payload);
    let request = payload.key("request").ok_or("the payload holds no request")?;
    let settings = Settings::parse(payload.key("settings")).map_err(|problems| describe(&problems))?;
    let (settings, cluster) = (ManuallyDrop::new(settings), ManuallyDrop::new(Cluster::new(&Host)));
    let verdict = ManuallyDrop::new(judge_in(&cluster, request, &settings));
    log(&verdict.failures);
    Ok(response::write(&verdict).into_bytes())
}

fn validate_settings(payload: &[u8]) -> CallResult {
    let message = match Json::parse(payload) {
        Err(error) => Some(format!("The settings are not a JSON document: {error}")),
        Ok(settings) => Settings::parse(Some(&settings)).err().map(|problems| describe(&problems)),
    };
    // See `kubewarden_policy_sdk::settings::SettingsValidationResponse`.
    let mut answer = String::from(if message.is_none() { r#"{"valid":true"# } else { r#"{"valid":false"# });
    match message {
        None => answer.push_str(r#","message":null"#),
        Some(message) => write::field(&mut answer, "message", &message),
    }
    answer.push('}');
    Ok(answer.into_bytes())
}

fn describe(problems: &[Problem]) -> String {
    let lines: Vec<_> = problems.iter().map(|problem| format!("- {problem}")).collect();
    format!("The settings are not valid:\n{}", lines.join("\n"))
}

/// Logs what could not be looked up. A log that cannot be written must not cost a decision.
fn log(failures: &[Failure]) {
    for failure in failures {
        let mut event = String::from(r#"{"level":"warning","message":"lookup failed""#);
        write::field(&mut event, "kind", failure.kind.name());
        write::field(&mut event, "namespace", &failure.namespace);
        write::field(&mut event, "name", &failure.name);
        write::field(&mut event, "cause", &failure.cause.to_string());
        event.push('}');
        let _ = wapc_guest::host_call("kubewarden", "tracing", "log", event.as_bytes());
    }
}
