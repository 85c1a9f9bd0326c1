//! CGMES: every number and flag of every object.

use crate::fields::{check, xml_fields, WithoutEffect};

const EVERY: &str = include_str!("../../../../fuzz/seeds/every_class.cgmes.xml");

const HELD: &str = "the target of a control that is held, which is named";
const NOT_IN_SERVICE: &str = "a tap or section that is not in service";
const HYPOTHESIS: &str = "the hypothesis (SSH) counts";
const NO_CONTROL: &str = "without a regulating control";

const WITHOUT_EFFECT: [WithoutEffect<'static>; 61] = [
    ("IdentifiedObject.name.text", "names of base voltages"),
    ("Switch.normalOpen.text", HYPOTHESIS),
    ("Switch.retained.text", "a view of the substation"),
    ("CurrentLimit.value.text#_LL3_v", "a temporary limit"),
    ("PowerTransformerEnd.ratedS.text", "limits are those of the limit sets"),
    ("RotatingMachine.ratedS.text", "short circuits and base values"),
    ("RegulatingControl.discrete.text", "voltages are held exactly"),
    ("RegulatingControl.targetDeadband.text", "voltages are held exactly"),
    ("RegulatingControl.targetValue.text##_TCC", HELD),
    ("RatioTapChanger.stepVoltageIncrement.text#_RTC3", "its table counts"),
    ("TapChanger.lowStep.text", "the step of the file counts"),
    ("TapChanger.highStep.text", "the step of the file counts"),
    ("TapChanger.neutralStep.text#_RTC3", "its table counts"),
    ("TapChanger.normalStep.text", HYPOTHESIS),
    ("TapChanger.neutralU.text", "the rated voltage of the end counts"),
    ("TapChanger.ltcFlag.text", "taps are held"),
    ("TapChanger.controlEnabled.text##_PTC", NO_CONTROL),
    ("TapChanger.controlEnabled.text##_RTC3", NO_CONTROL),
    ("PhaseTapChangerNonLinear.xMin.text", "without a largest reactance"),
    ("TapChangerTablePoint.*#_RTP1", NOT_IN_SERVICE),
    ("TapChangerTablePoint.ratio.text#_RTP2", NOT_IN_SERVICE),
    ("TapChangerTablePoint.r.text#_RTP2", NOT_IN_SERVICE),
    ("TapChangerTablePoint.x.text#_RTP2", NOT_IN_SERVICE),
    ("TapChangerTablePoint.g.text#_RTP2", NOT_IN_SERVICE),
    ("TapChangerTablePoint.b.text#_RTP2", NOT_IN_SERVICE),
    ("GeneratingUnit.initialP.text", HYPOTHESIS),
    ("RegulatingCondEq.controlEnabled.text##_AM", NO_CONTROL),
    ("RegulatingCondEq.controlEnabled.text##_SH1", NO_CONTROL),
    ("RegulatingCondEq.controlEnabled.text##_SH2", NO_CONTROL),
    (
        "EquivalentInjection.regulationCapability.text",
        "its hypothesis does not use it",
    ),
    ("EquivalentInjection.regulationStatus.text", "without the capability"),
    ("EquivalentInjection.regulationTarget.text", "without the capability"),
    (
        "EnergyConsumer.q.text##_D2",
        "a load behind an open switch, named with its active power",
    ),
    ("ShuntCompensator.nomU.text", "susceptances are in siemens"),
    (
        "ShuntCompensator.maximumSections.text",
        "the sections of the file count",
    ),
    ("ShuntCompensator.normalSections.text", HYPOTHESIS),
    ("NonlinearShuntCompensatorPoint.b.text#_NP2", NOT_IN_SERVICE),
    ("NonlinearShuntCompensatorPoint.g.text#_NP2", NOT_IN_SERVICE),
    (
        "StaticVarCompensator.voltageSetPoint.text",
        "its regulating control counts",
    ),
    ("DCGround.r.text", "carries no current"),
    ("ACDCConverter.ratedUdc.text#_VC2", "that of the rectifier counts"),
    (
        "ACDCConverter.idleLoss.text",
        "losses are those at its power (poleLossP)",
    ),
    (
        "ACDCConverter.switchingLoss.text",
        "losses are those at its power (poleLossP)",
    ),
    (
        "ACDCConverter.resistiveLoss.text",
        "losses are those at its power (poleLossP)",
    ),
    ("ACDCConverter.p.text", "the target of its control counts"),
    ("ACDCConverter.q.text", "the target of its control counts"),
    ("ACDCConverter.targetUdc.text", "the DC line has its rated voltage"),
    (
        "VsConverter.droop.text",
        "a DC control, for which a line of two converters has no use",
    ),
    (
        "VsConverter.droopCompensation.text",
        "a DC control, for which a line of two converters has no use",
    ),
    ("VsConverter.qShare.text", "shares of a control of several converters"),
    ("VsConverter.targetUpcc.text", "reactive power is held"),
    ("ACDCTerminal.connected.text##_DG1_T", "a ground carries no current"),
    ("ACDCTerminal.connected.text##_DG2_T", "a ground carries no current"),
    ("ACDCTerminal.connected.text##_BB1_T1", "a busbar section"),
    ("ACDCTerminal.connected.text##_BB2_T1", "a busbar section"),
    ("ACDCTerminal.connected.text##_BB3_T1", "a busbar section"),
    ("ACDCTerminal.connected.text##_BB4_T1", "a busbar section"),
    ("ACDCTerminal.connected.text##_CB3_T1", "an open switch"),
    ("ACDCTerminal.connected.text##_CB3_T2", "an open switch"),
    ("ControlArea.pTolerance.text", HELD),
    ("SvVoltage.angle.text#_SVT3C", "a node without voltage"),
];

#[test]
fn no_field_of_a_cgmes_file_is_lost_without_a_word() {
    let mut fields = xml_fields(EVERY);
    // The order of terminals has a test of its own.
    fields.retain(|field| field.name != "ACDCTerminal.sequenceNumber.text");
    check("cgmes", EVERY, &fields, &WITHOUT_EFFECT);
}
