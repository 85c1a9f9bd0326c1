//! XIIDM: every number and flag of every element.

use crate::fields::{check, xml_fields, WithoutEffect};

const TWO_AREAS: &str = include_str!("../../../../fuzz/seeds/two_areas.xiidm");

const HELD: &str = "the target of a control that is held, which is named";

const OTHER_STEP: &str = "another step of a tap changer or a shunt";

const WITHOUT_EFFECT: [WithoutEffect<'static>; 36] = [
    ("network.forecastDistance", "the date of the case"),
    ("switch.retained", "a view of the substation"),
    (
        "generator.ratedS",
        "short circuits and base values; limits are those of powers and currents",
    ),
    (
        "twoWindingsTransformer.ratedS",
        "limits are those of the groups that are selected",
    ),
    (
        "threeWindingsTransformer.ratedS*",
        "limits are those of the groups that are selected",
    ),
    ("currentLimits/temporaryLimit.*", "other sets of ratings"),
    ("activePowerLimits.permanentLimit#other", "a group that is not selected"),
    (
        "currentLimits.permanentLimit#first",
        "the least limit of both ends counts",
    ),
    ("ratioTapChanger.targetDeadband", HELD),
    ("ratioTapChanger.regulationValue", HELD),
    (
        "ratioTapChanger.loadTapChangingCapabilities",
        "a tap changer that is not controlled",
    ),
    ("ratioTapChanger2.targetDeadband", HELD),
    ("ratioTapChanger2.regulationValue", HELD),
    ("phaseTapChanger.targetDeadband", HELD),
    ("phaseTapChanger.regulationValue", HELD),
    ("ratioTapChanger/step.*", OTHER_STEP),
    ("ratioTapChanger/step2.*", OTHER_STEP),
    ("phaseTapChanger/step.*", OTHER_STEP),
    ("ratioTapChanger2/step.*", OTHER_STEP),
    ("shuntNonLinearModel/section.*", OTHER_STEP),
    (
        "reactiveCapabilityCurve/point3.*#A VSC",
        "a part of the curve beyond the output",
    ),
    ("shuntCompensator.targetV", HELD),
    ("shuntCompensator.targetDeadband", HELD),
    ("shuntLinearModel.maximumSectionCount", "the sections of the file count"),
    (
        "load.q0#A D2",
        "a load behind an open switch, named with its active power",
    ),
    ("load.p0#B D2", "a load that is not connected"),
    ("load.q0#B D2", "a load that is not connected"),
    ("boundaryLine.p0#A T", "half of a tie line"),
    ("boundaryLine.q0#A T", "half of a tie line"),
    ("boundaryLine.p0#B T", "half of a tie line"),
    ("boundaryLine.q0#B T", "half of a tie line"),
    ("hvdcAngleDroopActivePowerControl.p0", HELD),
    ("hvdcAngleDroopActivePowerControl.droop", HELD),
    ("voltagePerReactivePowerControl.slope", HELD),
    ("activePowerControl.*", "no slack is distributed"),
    ("minMaxReactiveLimits.*#A BAT", "a battery holds its reactive power"),
];

#[test]
fn no_field_of_an_xiidm_file_is_lost_without_a_word() {
    check("xiidm", TWO_AREAS, &xml_fields(TWO_AREAS), &WITHOUT_EFFECT);
}
