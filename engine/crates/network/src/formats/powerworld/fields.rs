//! Fields of elements that are read, and fields without effect. A number in any other field is named in a warning.

use super::objects::Object;
use crate::analysis::Warning;
use crate::message;

/// Fields of elements that determine the network, in the spelling of the format. The reader knows no other.
const READ: [&str; 143] = [
    // Identity of all.
    "BusNum",
    "BusNum:1",
    "Number",
    "BusName_NomVolt",
    "BusName_NomVolt:1",
    "ID",
    "Status",
    // Buses.
    "BusName",
    "Name",
    "BusNomVolt",
    "NomkV",
    "BusPUVolt",
    "Vpu",
    "BusKVVolt",
    "kV",
    "BusAngle",
    "Vangle",
    "BusG:1",
    "BusB:1",
    "AreaNum",
    "AreaNumber",
    "ZoneNum",
    "ZoneNumber",
    "SubNum",
    "SubNumber",
    "BusSlack",
    "Slack",
    "BusCat",
    "BusVoltLimLow",
    "BusVoltLimHigh",
    "BusVoltLimLow:1",
    "BusVoltLimHigh:1",
    "LimitLowA",
    "LimitHighA",
    "BusVMin",
    "BusVMax",
    "Latitude",
    "Longitude",
    "Latitude:1",
    "Longitude:1",
    // Loads and shunts.
    "LoadID",
    "LoadStatus",
    "LoadMW",
    "LoadMVR",
    "LoadSMW",
    "LoadSMVR",
    "LoadIMW",
    "LoadIMVR",
    "LoadZMW",
    "LoadZMVR",
    "SMW",
    "SMvar",
    "IMW",
    "IMvar",
    "ZMW",
    "ZMvar",
    "DistStatus",
    "DistMWInput",
    "DistMvarInput",
    "DistMW",
    "DistMvar",
    "ShuntID",
    "ShuntStatus",
    "SSStatus",
    "ShuntMW",
    "ShuntMVR",
    "SSNMW",
    "SSNMVR",
    "MWNom",
    "MvarNom",
    "SSCMode",
    "ShuntMode",
    // Units.
    "GenID",
    "GenStatus",
    "GenMW",
    "GenMVR",
    "GenMWSetPoint",
    "GenMvrSetPoint",
    "MWSetPoint",
    "MvarSetPoint",
    "GenMWMax",
    "GenMWMin",
    "MWMax",
    "MWMin",
    "GenMVRMax",
    "GenMVRMin",
    "MvarMax",
    "MvarMin",
    "GenVoltSet",
    "VoltSet",
    "GenRegNum",
    "RegBusNum",
    "GenAVRAble",
    "GenCostModel",
    "GenFuelCost",
    "GenFixedCost",
    "GenIOA",
    "GenIOB",
    "GenIOC",
    "GenIOD",
    "GenVariableOM",
    "GenCostMultiplier",
    "GenCostShift",
    "GenExtraOMCost",
    "GenExtraFuelCost",
    // Branches.
    "BusNumFrom",
    "BusNumTo",
    "LineCircuit",
    "Circuit",
    "LineStatus",
    "BranchDeviceType",
    "LineXfmr",
    "LineR",
    "LineR:1",
    "LineX",
    "LineX:1",
    "LineC",
    "LineC:1",
    "LineG",
    "LineG:1",
    "R",
    "X",
    "B",
    "G",
    "Rxfbase",
    "Xxfbase",
    "Bxfbase",
    "XfrmerMagnetizingG",
    "XfrmerMagnetizingB",
    "XfrmerMagnetizingG:1",
    "XfrmerMagnetizingB:1",
    "LineTap",
    "LineTap:1",
    "LineXFRatio",
    "Tapxfbase",
    "LinePhase",
    "Phase",
    "LineAMVA",
    "LineAMVA:1",
    "LineAMVA:2",
    "LimitMVAA",
    "LimitMVAB",
    "LimitMVAC",
];
/// Prefixes of further branch fields that are read.
const READ_TOO: [&str; 12] = [
    "LineShuntM",
    "LineAMVA",
    "LimitMVAA",
    "Phase",
    "XFMVABase",
    "XFNominalKV",
    "XFFixedTap",
    "XFTableNum",
    "LineXFType",
    "XFAuto",
    "SeriesCapStatus",
    "Tap",
];
/// Prefixes of fields without effect: owners, monitoring, results, drawings, dynamic data, limits and targets of fixed
/// controls, ratings beyond the first set.
const WITHOUT_EFFECT: [&str; 63] = [
    "Own",
    "BANumber",
    "EMS",
    "DataMaintainer",
    "AllLabels",
    "Custom",
    "LS",
    "PVM",
    "QV",
    "LP",
    "OPF",
    "TS",
    "TimeDomain",
    "GIC",
    "CTG",
    "Topology",
    "Priority",
    "Datum",
    "BusMon",
    "BusVoltLim",
    "BusLongName",
    "BusRad",
    "BusE",
    "BusF",
    "BusMC",
    "BusMWMC",
    "BusMvarMC",
    "BusRG",
    "BusLossSens",
    "BusScale",
    "BusStatus",
    "DCLossMultiplier",
    "Latitude",
    "Longitude",
    "GenAGCAble",
    "GenMVABase",
    "GenZ",
    "GenStep",
    "GenMWOrg",
    "GenTotalFixedCosts",
    "GenRMPCT",
    "GenParFac",
    "GenWind",
    "GenXLDCRCC",
    "GenRLDCRCC",
    "GenLP",
    "GenUnitType",
    "GenFuelType",
    "GenPostCTG",
    "MVABase",
    "RegFactor",
    "SSReg",
    "SSV",
    "SSBlock",
    "SVCST",
    "ShuntID:2",
    "DesiredVoltage",
    "XF",
    "LineLength",
    "LineMeter",
    "LineBMVA",
    "LineCMVA",
    "LimitMVA",
];
/// Further prefixes, for branches and loads.
const WITHOUT_EFFECT_TOO: [&str; 13] = [
    "LineMC",
    "LineMon",
    "LineLPEnforce",
    "LineIsSeriesCap",
    "NormLineStatus",
    "ConsolidateBranch",
    "Branch",
    "MonBranch",
    "MoveDelay",
    "StepsToMove",
    "UseDelay",
    "UseSecReg",
    "Interruptible",
];

/// One warning for the numbers in unknown fields of elements.
pub(super) fn warning(objects: &[Object<'_>]) -> Option<Warning> {
    let mut fields: Vec<(String, usize)> = Vec::new();
    for object in objects.iter().filter(|o| is_element(&o.kind)) {
        for (column, field) in object.fields.iter().enumerate().filter(|(_, field)| !is_known(field)) {
            let number = |row: &&Vec<&str>| row[column].parse::<f64>().is_ok_and(|value| value != 0.0);
            let count = object.rows.iter().filter(number).count();
            if count == 0 {
                continue;
            }
            let name = format!("`{}.{field}`", object.kind);
            match fields.iter_mut().find(|(known, _)| *known == name) {
                Some((_, values)) => *values += count,
                None => fields.push((name, count)),
            }
        }
    }
    let count: usize = fields.iter().map(|(_, count)| count).sum();
    let names: Vec<String> = fields.into_iter().map(|(name, _)| name).collect();
    let message = message!("document.fields_ignored", count = count, fields = names);
    (count > 0).then(|| Warning::new("INPUT.FIELD_IGNORED", message))
}

/// The kinds of objects that become elements of the network.
fn is_element(kind: &str) -> bool {
    matches!(kind, "bus" | "load" | "shunt" | "gen" | "branch" | "transformer")
}

fn is_known(field: &str) -> bool {
    let begins = |start: &&str| {
        field
            .get(..start.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(start))
    };
    let mut starts = READ_TOO.iter().chain(&WITHOUT_EFFECT).chain(&WITHOUT_EFFECT_TOO);
    READ.iter().any(|name| name.eq_ignore_ascii_case(field)) || starts.any(begins)
}

/// The text with the names of fields in the spelling of the format: Simulator accepts any letter case, whereas the
/// reader accepts only this one. `None` if every name has that spelling.
pub(super) fn spelled(text: &str, objects: &[Object<'_>]) -> Option<String> {
    let other = |field: &str| {
        READ.iter()
            .find(|name| name.eq_ignore_ascii_case(field) && **name != field)
    };
    let concerned = |object: &&Object<'_>| is_element(&object.kind) && object.fields.iter().any(|f| other(f).is_some());
    let spans: Vec<_> = objects.iter().filter(concerned).map(|o| o.lines.clone()).collect();
    if spans.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut header = false;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        header |= spans.iter().any(|span| span.start == at);
        if !header {
            out.push_str(line);
            continue;
        }
        let mut word = 0;
        for (k, c) in line.char_indices().chain([(line.len(), '\n')]) {
            if c.is_alphanumeric() || matches!(c, '_' | ':') {
                continue;
            }
            let name = &line[word.min(k)..k];
            out.push_str(other(name).map_or(name, |name| name));
            if k < line.len() {
                out.push(c);
            }
            word = k + c.len_utf8();
        }
        header = !line.contains('{');
    }
    Some(out)
}
