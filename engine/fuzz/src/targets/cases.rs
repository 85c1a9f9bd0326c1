//! Case files: one function for each format.

use crate::check;
use wattbook_network::ingest_case;

fn read(bytes: &[u8], format: &str) {
    match ingest_case(bytes, format) {
        Ok(case) => check::case(&case, bytes),
        Err(e) => check::error(&e, &["INPUT.", "PHYSICS.UNSUPPORTED"], bytes),
    }
}

pub fn matpower(bytes: &[u8]) {
    read(bytes, "matpower");
}

pub fn psse(bytes: &[u8]) {
    read(bytes, "psse");
}

pub fn powerworld(bytes: &[u8]) {
    read(bytes, "powerworld");
}

pub fn pwb(bytes: &[u8]) {
    read(bytes, "pwb");
}

pub fn pslf(bytes: &[u8]) {
    read(bytes, "pslf");
}

pub fn cdf(bytes: &[u8]) {
    read(bytes, "ieee-cdf");
}

pub fn ucte(bytes: &[u8]) {
    read(bytes, "ucte");
}

pub fn xiidm(bytes: &[u8]) {
    read(bytes, "xiidm");
}

pub fn cgmes(bytes: &[u8]) {
    read(bytes, "cgmes");
}

pub fn rawx(bytes: &[u8]) {
    read(bytes, "psse-rawx");
}

pub fn powermodels(bytes: &[u8]) {
    read(bytes, "powermodels-json");
}

pub fn egret(bytes: &[u8]) {
    read(bytes, "egret-json");
}

pub fn pandapower(bytes: &[u8]) {
    read(bytes, "pandapower-json");
}

pub fn opfdata(bytes: &[u8]) {
    read(bytes, "opfdata-json");
}

pub fn goc3(bytes: &[u8]) {
    read(bytes, "goc3-json");
}
