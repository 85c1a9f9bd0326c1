//! JSON documents of any kind, and modules.

use crate::check;
use wattbook_network::{
    classify_json, export_formats, ingest_case, ingest_json_drop, network_from_module, JsonDrop, JsonKind,
    ModulePayload, DISTRIBUTION_JSON_FORMATS, JSON_FORMATS,
};

/// `classify_json` and `ingest_json_drop` agree on the kind of a file, and the latter reads it like `ingest_case`.
pub fn drop_json(bytes: &[u8]) {
    let class = classify_json(bytes);
    let known: &[&str] = match class.kind {
        JsonKind::Transmission => &JSON_FORMATS,
        JsonKind::Distribution => &DISTRIBUTION_JSON_FORMATS,
        _ => &[],
    };
    assert_eq!(class.format.is_some(), !known.is_empty(), "{class:?}");
    assert!(class.format.is_none_or(|f| known.contains(&f)), "{class:?}");
    match (class.kind, ingest_json_drop(bytes)) {
        (JsonKind::Module, Ok(JsonDrop::Module(ModulePayload::Balanced(case)))) => check::case(&case, bytes),
        (JsonKind::Module, Ok(JsonDrop::Module(ModulePayload::Multiconductor(text)))) => {
            assert_eq!(classify_json(text.as_bytes()).kind, JsonKind::Module);
        }
        (JsonKind::Module, Err(e)) => check::error(&e, &["MODULE.", "INPUT.", "PHYSICS.UNSUPPORTED"], bytes),
        (JsonKind::Transmission, Ok(JsonDrop::Transmission { format, ingested })) => {
            assert_eq!(Some(format), class.format);
            let direct = ingest_case(bytes, format)
                .map(|case| case.sha256)
                .map_err(|e| e.to_string());
            assert_eq!(direct, Ok(ingested.sha256));
        }
        (JsonKind::Transmission, Err(e)) => {
            check::error(&e, &["INPUT.", "PHYSICS.UNSUPPORTED"], bytes);
            let direct = ingest_case(bytes, class.format.unwrap_or_default()).map(|case| case.sha256);
            assert_eq!(direct, Err(e));
        }
        (JsonKind::Distribution, Ok(JsonDrop::Distribution { format, .. })) => assert_eq!(Some(format), class.format),
        (JsonKind::Ambiguous, Ok(JsonDrop::Ambiguous)) | (JsonKind::Unknown, Ok(JsonDrop::Unknown)) => {}
        (kind, Ok(_)) => panic!("classified as {kind:?}, dropped as something else"),
        (kind, Err(e)) => panic!("classified as {kind:?}, and yet: {e}"),
    }
}

/// `network_from_module`, and `ingest_json_drop` of the same text with the same result.
pub fn module(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let read = network_from_module(&text);
    match &read {
        Ok(network) => {
            check::network(network);
            check::warnings(&network.warnings, bytes);
        }
        Err(e) => check::error(
            e,
            &["MODULE.INVALID", "MODULE.KIND", "INPUT.", "PHYSICS.UNSUPPORTED"],
            bytes,
        ),
    }
    match (read, ingest_json_drop(text.as_bytes())) {
        (Ok(network), Ok(JsonDrop::Module(ModulePayload::Balanced(case)))) => {
            assert!(network == case.network, "dropped, the module is another network");
            check::case(&case, bytes);
        }
        // A module without equipment can be opened, but is not accepted as a dropped case.
        (Ok(_), Err(e)) => assert!(["INPUT.NO_EQUIPMENT", "INPUT.EMPTY"].contains(&e.code), "{e}"),
        (Ok(_), Ok(_)) => panic!("the text is a module, dropped it is something else"),
        // A document of another format has its own reasons for a refusal.
        (Err(_), Err(_)) if classify_json(text.as_bytes()).kind != JsonKind::Module => {}
        (Err(read), Err(dropped)) => assert!(
            read.code == dropped.code || ["INPUT.NO_EQUIPMENT", "INPUT.EMPTY"].contains(&dropped.code),
            "{read} but {dropped}"
        ),
        (Err(e), Ok(JsonDrop::Module(ModulePayload::Balanced(_)))) => panic!("dropped, the module is read; else {e}"),
        (Err(_), Ok(_)) => {}
    }
}

/// Exports a module to every format.
pub fn export(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for format in export_formats() {
        check::export(&text, format.format, bytes);
    }
}
