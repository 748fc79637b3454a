//! Settings: they are valid, or every problem can be told.
#![no_main]

use vmdisk_policy::json::Json;
use vmdisk_policy::settings::Settings;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    let Ok(settings) = Json::parse(text) else { return };
    if let Err(problems) = Settings::parse(Some(&settings)) {
        assert!(!problems.is_empty());
        for problem in problems {
            assert!(!problem.to_string().contains('\n'));
        }
    }
});
