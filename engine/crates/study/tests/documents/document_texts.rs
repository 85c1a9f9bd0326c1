//! Texts and artifacts of a Study file.

use crate::common::three_bus;
use crate::document::{damaged, draft, read, refused, written};
use serde_json::{json, Value};
use wattbook_network::sha256::sha256_hex;
use wattbook_study::write_study_bundle;

#[test]
fn artifacts_damaged_in_each_way_are_refused_by_name() {
    let good = read(&written(&draft()));
    let of = |kind: &str| -> String {
        let artifacts = good["artifacts"].as_object().unwrap();
        let (sha256, _) = artifacts.iter().find(|(_, artifact)| artifact["kind"] == kind).unwrap();
        sha256.clone()
    };
    for kind in ["module", "solution", "geo_layer", "drawing"] {
        let sha256 = of(kind);
        let changed = damaged(&good, |bundle| {
            let text = bundle["artifacts"][&sha256]["text"].as_str().unwrap().to_string();
            bundle["artifacts"][&sha256]["text"] = json!(text + " ");
        });
        refused(&changed, "STUDY_FILE.HASH", &sha256);
        let missing = damaged(&good, |bundle| {
            drop(bundle["artifacts"].as_object_mut().unwrap().remove(&sha256))
        });
        refused(&missing, "STUDY_FILE.REFERENCE", &sha256);
        let other = damaged(&good, |bundle| bundle["artifacts"][&sha256]["kind"] = json!("evidence"));
        refused(&other, "STUDY_FILE.KIND", "evidence");
    }
    let unknown = damaged(&good, |bundle| {
        bundle["artifacts"][of("drawing")]["kind"] = json!("script")
    });
    refused(&unknown, "STUDY_FILE.UNREADABLE", "script");
}

/// A writer refuses what a reader would refuse: here hashes are right, and the texts contradict the document.
#[test]
fn texts_with_another_content_than_stated_are_refused() {
    let draft = draft();
    #[track_caller]
    fn check(draft: &Value, code: &str, named: &str, name: &str, text: &str) {
        let mut draft = draft.clone();
        draft["artifacts"][name]["text"] = json!(text);
        draft["artifacts"].as_object_mut().unwrap().remove("the same again");
        if name == "case" {
            draft["document"]["case"]["sha256"] = json!(sha256_hex(text.as_bytes()));
        }
        let error = write_study_bundle(&draft.to_string(), false).expect_err("a refusal");
        assert_eq!(error.code, code, "{error}");
        assert!(error.message().contains(named), "{error}");
    }
    let module = three_bus();
    check(&draft, "STUDY_FILE.ARTIFACT", "module", "case", "{\"a\": 1}");
    check(
        &draft,
        "STUDY_FILE.ARTIFACT",
        "SocwrOpf",
        "case",
        &module.replace("BalancedNetwork", "SocwrOpfSolution"),
    );
    let hidden = module.replacen("\"name\": \"", "\"name\": \"\u{202e}", 1);
    assert_ne!(hidden, module);
    check(&draft, "STUDY_FILE.ARTIFACT", "invisible", "case", &hidden);
    check(&draft, "STUDY_FILE.ARTIFACT", "solution", "base", "{\"a\": 1}");
    check(
        &draft,
        "STUDY_FILE.ARTIFACT",
        "geo_layer",
        "layer",
        "<svg onload=alert(1)>",
    );
    check(&draft, "STUDY_FILE.IDENTITY", "input", "case", &(module + "\n"));
}

#[test]
fn texts_are_made_visible_and_approvals_are_dropped() {
    let mut draft = draft();
    let document = &mut draft["document"];
    document["title"] = json!("a\u{202e}b\u{0}c\nd");
    document["states"]["s1"]["note"] = json!("one\u{2066}\r\ntwo\u{7}");
    document["approvals"] = json!({ "p1": { "token": "secret", "base_revision": 2 } });
    document["decisions"]["d1"]["approval"] = json!("secret");
    document["states"]["s1"]["label"] = json!("<img src=x onerror=alert(1)>");
    let bytes = written(&draft);
    let back = read(&bytes);
    let back = &back["document"];
    assert_eq!(back["title"], "abc d");
    assert_eq!(back["states"]["s1"]["note"], "one\ntwo");
    assert_eq!(
        back["states"]["s1"]["label"], "<img src=x onerror=alert(1)>",
        "markup is text"
    );
    assert!(!String::from_utf8(bytes).unwrap().contains("secret"));
    // A file into which somebody inserted one.
    let smuggled = damaged(&read(&written(&draft)), |bundle| {
        bundle["document"]["approvals"] = json!({ "p1": "secret" });
        bundle["approvals"] = json!({ "p1": "secret" });
    });
    assert!(!read(&smuggled).to_string().contains("secret"));
}

#[test]
fn a_study_without_its_base_input_is_read() {
    let mut draft = draft();
    draft["document"].as_object_mut().unwrap().remove("base_input");
    let back = read(&written(&draft));
    assert!(back["document"].get("base_input").is_none());
}
