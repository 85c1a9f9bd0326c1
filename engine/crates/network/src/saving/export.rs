//! Modules as files of other formats, with warnings about what each format cannot represent.

use powerio::{
    BalancedNetwork, Branch, Generator, NetworkFamily, PioModule, PioValue, Shunt, Storage, Transformer3W,
    TransformerControl,
};

use super::pandapower;
use super::writers::emit;
use crate::analysis::Warning;
use crate::assemble::branches::{NO_ANGLE_LIMITS, RATED_ZERO, UNRATED};
use crate::assemble::lowering;
use crate::assemble::storages::{sign, ENERGY_MIN, ENERGY_UNKNOWN, ENERGY_VALUE};
use crate::element::{ElementKind, ElementRef};
use crate::error::{EngineError, Result};
use crate::formats::{powerworld, pslf};
use crate::{message, module};

/// Formats whose writers drop three-winding transformers or write them wrongly.
const WITHOUT_THREE_WINDINGS: [&str; 6] = [
    "matpower",
    "powermodels-json",
    "pandapower-json",
    "egret-json",
    "surge-json",
    "pslf",
];

/// Formats of PSS/E.
const RAW: [&str; 4] = ["psse", "psse34", "psse35", "psse-rawx"];

/// Formats whose units control the voltage of their own bus only.
const WITHOUT_REMOTE_REGULATION: [&str; 4] = ["matpower", "powermodels-json", "pandapower-json", "egret-json"];

/// Longest file name without its extension.
const NAME_LENGTH: usize = 40;

/// An exported file.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    pub bytes: Vec<u8>,
    /// Name of the case with the extension of the format.
    pub file_name: String,
    /// Losses of the format, from its writer and from this crate.
    pub warnings: Vec<Warning>,
}

/// A format in which balanced modules can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportFormat {
    /// Token for [`export_module`].
    pub format: &'static str,
    /// Display name.
    pub label: &'static str,
    /// Without the dot.
    pub extension: &'static str,
}

/// Every format of [`export_module`], in the order of the writers. It excludes formats that are a folder of files
/// (CGMES, PyPSA) and GO Challenge 3, which is a calculation rather than a network.
pub fn export_formats() -> Vec<ExportFormat> {
    let written = powerio::grid_formats().filter(|f| {
        f.family == NetworkFamily::Transmission
            && f.format.can_emit
            && !f.format.is_directory
            && f.format.token != "goc3-json"
    });
    written
        .filter_map(|f| {
            Some(ExportFormat {
                format: f.format.token,
                label: f.label,
                extension: f.format.extension?,
            })
        })
        .collect()
}

/// Writes a balanced module in another format. The module itself is saved as its own text without export. If the format
/// has no three-winding transformers, their star equivalents are written: a bus, three transformers and a shunt.
///
/// # Errors
/// `EXPORT.FORMAT` for an unsupported format, `EXPORT.REFUSED` if the writer cannot represent the network,
/// `MODULE.INVALID` and `MODULE.KIND`.
pub fn export_module(module_json: &str, format: &str) -> Result<Exported> {
    let Some(target) = export_formats().into_iter().find(|f| f.format == format) else {
        return Err(EngineError::new(
            "EXPORT.FORMAT",
            message!("export.format", format = format),
        ));
    };
    let mut parsed = module::open(module_json)?;
    let lowered = WITHOUT_THREE_WINDINGS
        .contains(&format)
        .then(|| lower(&mut parsed))
        .flatten();
    let shunts = RAW
        .contains(&format)
        .then(|| shunts_at_second_windings(&mut parsed))
        .flatten();
    let storages = turn_storages(&mut parsed, format);
    let net = module::balanced(&parsed)?;
    match format {
        "pslf" => refuse_for_pslf(net)?,
        "xiidm" | "jiidm" => refuse_for_iidm(net)?,
        _ => {}
    }
    let file_name = format!("{}.{}", file_stem(net.name()), target.extension);
    let network = net.clone();
    let parsed = parsed.map_value(|_| network).sever_source();
    let (mut bytes, mut warnings) = match format {
        "pandapower-json" => pandapower::write(&parsed)?,
        _ => emit(&parsed, target.format)?,
    };
    warnings.extend(lowered);
    warnings.extend(shunts);
    warnings.extend(storages);
    warnings.extend(losses(parsed.value(), format));
    if let (true, Ok(text)) = (matches!(format, "powerworld" | "pslf"), std::str::from_utf8(&bytes)) {
        bytes = match format {
            "powerworld" => powerworld::completed(text, parsed.value())?.into_bytes(),
            _ => {
                let (text, others) = pslf::completed(text, parsed.value());
                let message = message!("export.set_points", count = others);
                warnings.extend((others > 0).then(|| Warning::new("EXPORT.LOSS", message)));
                text.into_bytes()
            }
        };
    }
    Ok(Exported {
        bytes,
        file_name,
        warnings,
    })
}

/// Replaces three-winding transformers by star equivalents, and returns the warning about it.
fn lower(parsed: &mut PioModule<PioValue>) -> Option<Warning> {
    let PioValue::BalancedNetwork(net) = parsed.value_mut() else {
        return None;
    };
    if net.transformers_3w().is_empty() {
        return None;
    }
    let first = net.buses().len();
    let base_mva = net.base_mva();
    let (written, left_out) = lowering::lower(net, base_mva);
    let message = match (net.buses().get(first), left_out) {
        (None, _) => message!("export.stars_left_out", count = left_out),
        (Some(star), 0) => message!("export.stars", count = written, bus = star.id.to_string()),
        (Some(star), _) => message!(
            "export.stars_and_left_out",
            count = written,
            bus = star.id.to_string(),
            left_out = left_out
        ),
    };
    Some(Warning::new("EXPORT.LOSS", message))
}

/// Gives the powers of storage units the sign of the format, and returns the warning about values that only some formats have: what energy is
/// worth, and least energies.
fn turn_storages(parsed: &mut PioModule<PioValue>, format: &str) -> Option<Warning> {
    let PioValue::BalancedNetwork(net) = parsed.value_mut() else {
        return None;
    };
    if net.storage().is_empty() {
        return None;
    }
    let takes = ["matpower", "powermodels-json", "pandapower-json", "egret-json"].contains(&format);
    let turn = sign(net.source_format()) * if takes { -1.0 } else { 1.0 };
    let has_more = |s: &Storage| {
        let least = s.extras.get(ENERGY_MIN).and_then(serde_json::Value::as_f64);
        let is_special = least.is_some_and(|least| least != 0.0) || s.extras.contains_key(ENERGY_UNKNOWN);
        s.extras.contains_key(ENERGY_VALUE) || (format != "pandapower-json" && is_special)
    };
    let lost = found(ElementKind::Storage, net.storage(), has_more);
    for storage in net.storage_mut() {
        (storage.ps, storage.qs) = (turn * storage.ps + 0.0, turn * storage.qs + 0.0);
    }
    let (count, first) = lost?;
    let message = message!("export.storage_values", count = count, storage = &first);
    Some(Warning::new("EXPORT.LOSS", message))
}

/// Converts the admittance to ground at the second winding of transformers to a fixed shunt, since PSS/E has one at the
/// bus of the first winding only.
fn shunts_at_second_windings(parsed: &mut PioModule<PioValue>) -> Option<Warning> {
    let PioValue::BalancedNetwork(net) = parsed.value_mut() else {
        return None;
    };
    let base_mva = net.base_mva();
    let mut shunts = Vec::new();
    for branch in net.branches_mut().iter_mut().filter(|b| b.is_transformer()) {
        let mut charging = branch.calc_terminal_charging();
        if charging.g_to == 0.0 && charging.b_to == 0.0 {
            continue;
        }
        let mut shunt = Shunt::new(branch.to, charging.g_to * base_mva, charging.b_to * base_mva);
        shunt.in_service = branch.in_service;
        shunts.push(shunt);
        (charging.g_to, charging.b_to) = (0.0, 0.0);
        branch.b = charging.b_fr;
        branch.charging = Some(charging);
    }
    let count = shunts.len();
    net.shunts_mut().extend(shunts);
    (count > 0).then(|| Warning::new("EXPORT.LOSS", message!("export.shunts_of_transformers", count = count)))
}

/// Warnings about silent losses of the writers: units that control the voltage of another bus in formats without such
/// control; ratings of zero MVA, which mean no limit in most formats; branches without limits, for which readers assume
/// some.
fn losses(net: &BalancedNetwork, format: &str) -> Vec<Warning> {
    let remote = |g: &Generator| g.in_service && g.regulated_bus.is_some_and(|bus| bus != g.bus);
    let rated_zero = |b: &Branch| b.extras.contains_key(RATED_ZERO) && b.rate_a == 0.0;
    let unlimited = |b: &Branch| {
        b.in_service
            && [UNRATED, NO_ANGLE_LIMITS]
                .iter()
                .any(|mark| b.extras.contains_key(*mark))
    };
    let units = WITHOUT_REMOTE_REGULATION
        .contains(&format)
        .then(|| found(ElementKind::Generator, net.generators(), remote));
    let sentences = [
        found(ElementKind::Branch, net.branches(), rated_zero)
            .map(|(count, first)| message!("export.zero_ratings", count = count, branch = &first)),
        found(ElementKind::Branch, net.branches(), unlimited)
            .map(|(count, first)| message!("export.unlimited", count = count, branch = &first)),
        units
            .flatten()
            .map(|(count, first)| message!("export.remote_regulation", count = count, generator = &first)),
    ];
    let warning = |sentence| Warning::new("EXPORT.LOSS", sentence);
    sentences.into_iter().flatten().map(warning).collect()
}

/// The number of rows that satisfy a condition, and the first of them; `None` if there are none.
fn found<T>(kind: ElementKind, rows: &[T], is_so: impl Fn(&T) -> bool) -> Option<(usize, ElementRef)> {
    let mut numbers = (1u64..)
        .zip(rows)
        .filter(|(_, row)| is_so(row))
        .map(|(number, _)| number);
    let first = numbers.next()?;
    Some((numbers.count() + 1, ElementRef::numbered(kind, first)))
}

/// Refuses phase shifts, which the writer puts into the column of the loss factor.
fn refuse_for_pslf(net: &BalancedNetwork) -> Result<()> {
    let shifted = net.branches().iter().position(|b| b.shift != 0.0);
    let Some(row) = shifted else { return Ok(()) };
    let branch = ElementRef::numbered(ElementKind::Branch, row as u64 + 1);
    let message = message!("export.pslf_phase_shift", branch = &branch);
    Err(EngineError::new("EXPORT.REFUSED", message))
}

/// Refuses networks on which the writer fails: it uses every uid as the identity of a component and aborts at an
/// invalid one, and it lists all tap positions and all steps of switched shunts.
fn refuse_for_iidm(net: &BalancedNetwork) -> Result<()> {
    const LONGEST_UID: usize = 65_536;
    /// The maximum of PSS/E.
    const MOST_POSITIONS: u32 = 9999;
    let too_many = |control: &Option<TransformerControl>| control.as_ref().is_some_and(|c| c.ntp > MOST_POSITIONS);
    let branch = net.branches().iter().position(|b| too_many(&b.control));
    let of_three = |t: &Transformer3W| t.windings.iter().any(|w| too_many(&w.control));
    let found = match branch {
        Some(row) => Some((ElementKind::Branch, row)),
        None => (net.transformers_3w().iter().position(of_three)).map(|row| (ElementKind::Transformer3w, row)),
    };
    if let Some((kind, row)) = found {
        let element = ElementRef::numbered(kind, row as u64 + 1);
        let message = message!(
            "export.iidm_tap_positions",
            element = &element,
            most = MOST_POSITIONS as usize
        );
        return Err(EngineError::new("EXPORT.REFUSED", message).at(element));
    }
    let steps = |shunt: &Shunt| {
        let blocks = shunt.control.iter().flat_map(|control| &control.blocks);
        blocks.map(|block| u64::from(block.steps)).sum::<u64>()
    };
    if let Some(shunt) = net.shunts().iter().find(|shunt| steps(shunt) > MOST_POSITIONS.into()) {
        let message = message!(
            "export.iidm_shunt_steps",
            bus = shunt.bus.to_string(),
            most = MOST_POSITIONS as usize
        );
        return Err(EngineError::new("EXPORT.REFUSED", message));
    }
    let tables: [(&str, Vec<&Option<String>>); 9] = [
        ("buses", net.buses().iter().map(|e| &e.uid).collect()),
        ("loads", net.loads().iter().map(|e| &e.uid).collect()),
        ("shunts", net.shunts().iter().map(|e| &e.uid).collect()),
        ("generators", net.generators().iter().map(|e| &e.uid).collect()),
        ("branches", net.branches().iter().map(|e| &e.uid).collect()),
        ("switches", net.switches().iter().map(|e| &e.uid).collect()),
        ("storage", net.storage().iter().map(|e| &e.uid).collect()),
        (
            "transformers_3w",
            net.transformers_3w().iter().map(|e| &e.uid).collect(),
        ),
        ("hvdc", net.hvdc().iter().map(|e| &e.uid).collect()),
    ];
    let bad = |uid: &&Option<String>| {
        let impossible = |uid: &String| uid.is_empty() || uid.len() > LONGEST_UID || uid.contains('\0');
        uid.as_ref().is_some_and(impossible)
    };
    for (kind, uids) in tables {
        if let Some(row) = uids.iter().position(bad) {
            let message = message!("export.iidm_uid", table = kind, row = row + 1);
            return Err(EngineError::new("EXPORT.REFUSED", message));
        }
    }
    Ok(())
}

/// The name of the case as a file name: letters, digits, `-` and `_`.
fn file_stem(name: &str) -> String {
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') {
            c
        } else {
            '_'
        }
    };
    let stem: String = name.trim().chars().take(NAME_LENGTH).map(safe).collect();
    match stem.trim_matches('_') {
        "" => "case".to_string(),
        stem => stem.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cases_become_names_of_files() {
        assert_eq!(file_stem("IEEE 14 bus: summer"), "IEEE_14_bus__summer");
        assert_eq!(
            (file_stem("../.."), file_stem(" \u{e9} ")),
            ("case".to_string(), "case".to_string())
        );
    }
}
