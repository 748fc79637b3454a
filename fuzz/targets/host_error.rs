//! Error texts of the host: what stands before and behind the message changes nothing.
#![no_main]

use vmdisk_policy::cluster::host_error::{HostAnswer, parse};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let answer = parse(text);
    assert_eq!(parse(&format!("{text}\n\nCaused by:\n    404 page not found")), answer);
    if !text.starts_with(char::is_whitespace) && !text.contains("Host error: ") && !text.contains("error invoking") {
        let prefix = "error invoking host capability kubernetes.get_resource: Host error: ";
        assert_eq!(parse(&format!("{prefix}{text}")), answer);
    }
    // Only a text that begins like an absence is one.
    if answer == HostAnswer::Absent {
        assert!(text.contains("Cannot find ") && text.contains(" named '"));
    }
});
