//! What holds whatever was recorded.
use crate::scenarios;
#[test]
fn todo() {
    let _ = scenarios::all();
}
