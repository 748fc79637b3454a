//! The waPC glue: payload in, response out. Nothing is decided here.

use anyhow::{Context, anyhow};
use kubewarden_policy_sdk::settings::SettingsValidationResponse;
use kubewarden_policy_sdk::wapc_guest::{CallResult, register_function};
use serde::Serialize;

use crate::cluster::{Failure, host::Host};
use crate::json::Json;
use crate::judge::judge;
use crate::response::Response;
use crate::settings::{Problem, Settings};

/// Registers the policy's functions. The host calls it once for each request.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "the attribute exports the module's entry point; the function does nothing unsafe")]
pub extern "C" fn wapc_init() {
    register_function("validate", validate);
    register_function("validate_settings", validate_settings);
    register_function("protocol_version", kubewarden_policy_sdk::protocol_version_guest);
}

fn validate(payload: &[u8]) -> CallResult {
    Ok(answer(payload)?)
}

fn answer(payload: &[u8]) -> anyhow::Result<Vec<u8>> {
    let payload = Json::parse(payload).context("the payload is not a JSON document")?;
    let request = payload.key("request").ok_or_else(|| anyhow!("the payload holds no request"))?;
    let settings = Settings::parse(payload.key("settings")).map_err(|problems| anyhow!(describe(&problems)))?;
    let verdict = judge(request, &settings, &Host);
    log(&verdict.failures);
    Ok(serde_json::to_vec(&Response::from(&verdict))?)
}

fn validate_settings(payload: &[u8]) -> CallResult {
    let message = match Json::parse(payload) {
        Err(error) => Some(format!("The settings are not a JSON document: {error}")),
        Ok(settings) => Settings::parse(Some(&settings)).err().map(|problems| describe(&problems)),
    };
    Ok(serde_json::to_vec(&SettingsValidationResponse { valid: message.is_none(), message })?)
}

fn describe(problems: &[Problem]) -> String {
    let lines: Vec<_> = problems.iter().map(|problem| format!("- {problem}")).collect();
    format!("The settings are not valid:\n{}", lines.join("\n"))
}

/// One line of the policy server's log.
#[derive(Serialize)]
struct Event<'e> {
    level: &'static str,
    message: &'static str,
    kind: &'static str,
    namespace: &'e str,
    name: &'e str,
    cause: String,
}

/// Logs what could not be looked up. A log that cannot be written must not cost a decision.
fn log(failures: &[Failure]) {
    for failure in failures {
        let event = Event {
            level: "warning",
            message: "lookup failed",
            kind: failure.kind.name(),
            namespace: &failure.namespace,
            name: &failure.name,
            cause: failure.cause.to_string(),
        };
        if let Ok(event) = serde_json::to_vec(&event) {
            let _ = wapc_guest::host_call("kubewarden", "tracing", "log", &event);
        }
    }
}
