//! Study files: as bytes, and as drafts that a program submits for writing.

use crate::check;
use wattbook_network::EngineError;
use wattbook_study::{read_mc_study_bundle, read_study_bundle_json, write_study_bundle};

const REFUSALS: [&str; 4] = ["STUDY_FILE.", "MODULE.", "INPUT.", "PHYSICS."];

/// The bytes of a file, of a network or a feeder.
pub fn bundle(bytes: &[u8]) {
    if let Err(e) = rewritten(bytes) {
        check::refusal(&e, &REFUSALS);
    }
    if let Err(e) = read_mc_study_bundle(bytes) {
        check::refusal(&e, &REFUSALS);
    }
}

/// A readable file is rewritten as an equivalent one.
pub fn rewritten(bytes: &[u8]) -> Result<(), EngineError> {
    let read = read_study_bundle_json(bytes)?;
    check::visible(&read);
    let again = write_study_bundle(&read, false).unwrap_or_else(|e| panic!("read, but not written: {e}"));
    assert_eq!(
        read_study_bundle_json(&again).as_deref(),
        Ok(&*read),
        "written, it is another one"
    );
    Ok(())
}

/// A bundle with arbitrary artifact names: the written file can be read, packed or not.
pub fn draft(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match write_study_bundle(&text, false) {
        Err(e) => check::refusal(&e, &REFUSALS),
        Ok(written) => {
            let read = read_study_bundle_json(&written).unwrap_or_else(|e| panic!("written, but not read: {e}"));
            let packed =
                write_study_bundle(&text, true).unwrap_or_else(|e| panic!("written plain, but not packed: {e}"));
            assert_eq!(
                read_study_bundle_json(&packed).as_deref(),
                Ok(&*read),
                "packed, it is another one"
            );
        }
    }
}
