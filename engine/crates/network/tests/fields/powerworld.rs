//! PowerWorld auxiliary files, with the field names of a complete export and of the concise generation.

use crate::fields::{aux_fields, check, WithoutEffect};

/// Three buses and a substation; a load with all its parts, one unit that holds another bus, one with a bid curve and one out of
/// service; a line with shunts at its ends, a transformer on its own base with a correction table, a phase shifter.
const AUX: &str = r#"DATA (PWCaseInformation, [BusNum])
{
3
}
DATA (Sim_Solution_Options_Value, [VariableName,ValueField])
{
"MVABase" "200"
"MaxItr" "50"
}
DATA (Substation, [SubNum,SubName,Latitude,Longitude])
{
7 "North" 45.5 -93.25
}
DATA (Owner, [OwnerNum,OwnerName])
{
1 "Owner"
}
DATA (Area, [AreaNum,AreaName,BGAGC,ConvergenceTol,AreaUnSpecifiedStudyMW])
{
1 "One" "Off AGC" 5 10
2 "Two" "Part. AGC" 5 10
}
DATA (Zone, [ZoneNum,ZoneName])
{
1 "One"
}
DATA (Interface, [IntNum,FGName,FGLimA])
{
1 "East" 400
}
DATA (Bus, [BusNum,BusName,BusNomVolt,BusPUVolt,BusAngle,BusG:1,BusB:1,AreaNum,ZoneNum,SubNum,BusSlack,BusVoltLimLow:1,BusVoltLimHigh:1,BusMonEle,OwnerNum])
{
1 "One" 230 1.02 3 0 0 1 1 7 "YES" 0.9 1.1 "YES" 1
2 "Two" 230 1.01 2 1.5 19 1 1 7 "NO" 0.9 1.1 "YES" 1
3 "Three" 115 0.99 1 0 0 2 2 7 "NO" 0.9 1.1 "YES" 1
}
DATA (Load, [BusNum,LoadID,LoadStatus,LoadSMW,LoadSMVR,LoadIMW,LoadIMVR,LoadZMW,LoadZMVR,DistStatus,DistMWInput,DistMvarInput,GenAGCAble,GenMWMax,GenMWMin,AreaNum,ZoneNum,OwnerNum])
{
3 "1" "Closed" 50 20 10 5 4 3 "Closed" 6 2 "NO" 0 0 2 2 1
}
DATA (Gen, [BusNum,GenID,GenStatus,GenMW,GenMVR,GenVoltSet,GenRegNum,GenRMPCT,GenAGCAble,GenParFac,GenMWMax,GenMWMin,GenEnforceMWLimits,GenAVRAble,GenMVRMax,GenMVRMin,GenUseCapCurve,GenUseLDCRCC,GenXLDCRCC,GenMVABase,GenZR,GenZX,GenStepR,GenStepX,GenStepTap,GenCostModel,GenFuelCost,GenFixedCost,GenIOA,GenIOB,GenIOC,GenIOD,GenVariableOM,GenCostMultiplier,GenCostShift,GenExtraOMCost,GenExtraFuelCost,OwnPercent])
{
1 "1" "Closed" 40 5 1.02 1 100 "YES" 10 200 10 "YES" "YES" 90 -90 "NO" "NO" 0.1 100 0 0.2 0 0 1 "Cubic" 2 300 10 8 0.25 0 1.5 1 0 0 0 100
2 "1" "Closed" 30 4 1.01 3 100 "YES" 10 150 10 "YES" "YES" 80 -80 "NO" "NO" 0.1 100 0 0.2 0 0 1 "Piecewise Linear" 1 100 0 0 0 0 0 1 0 0 0 100
<SUBDATA BidCurve>
//MW  Price
10 20
50 30
</SUBDATA>
2 "2" "Open" 20 3 1.01 2 100 "YES" 10 90 10 "YES" "YES" 70 -70 "NO" "NO" 0.1 100 0 0.2 0 0 1 "None" 1 0 0 0 0 0 0 1 0 0 0 100
}
DATA (Shunt, [BusNum,ShuntID,SSStatus,SSCMode,SSNMW,SSNMVR,SSRegNum,SSVHigh,SSVLow,SSBlockNumSteps,SSBlockMVarPerStep,AreaNum])
{
3 "1" "Closed" "Discrete" 1 30 3 1.05 0.95 3 10 2
}
DATA (Branch, [BusNum,BusNum:1,LineCircuit,BranchDeviceType,LineStatus,LineR,LineX,LineC,LineG,LineAMVA,LineAMVA:1,LineAMVA:2,LineShuntMW,LineShuntMW:1,LineShuntMVR,LineShuntMVR:1,LineLength,LineMonEle,NormLineStatus,OwnerNum,OwnPercent])
{
1 2 "1" "Line" "Closed" 0.01 0.1 0.02 0.001 150 160 170 1 2 3 4 10 "YES" "Closed" 1 100
}
DATA (Branch, [BusNum,BusNum:1,LineCircuit,BranchDeviceType,LineStatus,LineXFType,XFAuto,XFRegBus,XFRegMax,XFRegMin,XFMVABase,XFNominalKV,XFNominalKV:1,LineR:1,LineX:1,LineG:1,LineC:1,XfrmerMagnetizingG:1,XfrmerMagnetizingB:1,XFFixedTap,XFFixedTap:1,XFTapMax:1,XFTapMin:1,XFStep:1,LineTap:1,LinePhase,XFTableNum,LineAMVA,LineAMVA:1,LineMonEle])
{
2 3 "1" "Transformer" "Closed" "LTC" "Yes" 3 1.05 0.95 100 225 110 0.02 0.2 0.002 0.004 0.001 -0.01 1 1 1.1 0.9 0.00625 0.98 0 1 120 130 "YES"
1 3 "1" "Transformer" "Closed" "Phase" "Yes" 0 50 -50 100 230 115 0.02 0.2 0.002 0.004 0.001 -0.01 1 1 1.1 0.9 0.00625 1 5 2 120 130 "YES"
}
DATA (XFCorrection, [XFCorTableNum,XFCorTableName,XFCorTap,XFCorFactor,XFCorTap:1,XFCorFactor:1])
{
1 "Taps" 0.9 1.2 1.1 0.8
2 "Angles" -30 1.5 30 0.9
}
DATA (DCTransmissionLine, [BusNum,BusNum:1,DCLID,LineStatus,DCLMW])
{
1 3 1 "Open" 100
}
DATA (Unknown, [BusNum,MW])
{
1 5
}
"#;

const WITHOUT_EFFECT: [WithoutEffect<'static>; 54] = [
    ("PWCaseInformation.*", "a description of the case"),
    ("Sim_Solution_Options_Value.ValueField#2", "an option of another solver"),
    ("Owner.*", "owners"),
    ("Area.AreaNum", "names of areas; the area of a bus stands with it"),
    ("Area.ConvergenceTol", "control of area interchange, which is named"),
    (
        "Area.AreaUnSpecifiedStudyMW",
        "control of area interchange, which is named",
    ),
    ("Zone.*", "names of zones; the zone of a bus stands with it"),
    ("Interface.*", "named: limits of 1 interface"),
    ("Bus.BusMonEle", "monitoring"),
    ("Bus.OwnerNum", "owners"),
    ("Load.LoadID", "the number of a load at its bus"),
    ("Load.GenAGCAble", "a load is fixed"),
    ("Load.GenMWMax", "a load is fixed"),
    ("Load.GenMWMin", "a load is fixed"),
    (
        "Load.AreaNum",
        "the area of a load may differ from that of its bus; nothing is done by it",
    ),
    ("Load.ZoneNum", "see the area"),
    ("Load.OwnerNum", "owners"),
    ("Gen.GenID#1", "the number of a unit at its bus"),
    (
        "Gen.GenRMPCT",
        "the share of a unit among those that hold one bus; shares follow the ranges",
    ),
    (
        "Gen.GenParFac",
        "automatic generation control; the reference takes what is missing",
    ),
    ("Gen.GenXLDCRCC", "line-drop compensation that is off"),
    ("Gen.GenMVABase", "the base of dynamic data"),
    ("Gen.GenZR", "dynamic data"),
    ("Gen.GenZX", "dynamic data"),
    (
        "Gen.GenStepR",
        "a step-up transformer for dynamic studies; that of the power flow is a branch",
    ),
    ("Gen.GenStepX", "see GenStepR"),
    ("Gen.GenStepTap", "see GenStepR"),
    ("Gen.OwnPercent", "owners"),
    ("Gen.GenFuelCost#2", "the prices of a bid curve are those of energy"),
    ("Gen.GenIO*#2", "coefficients of another cost model than the unit's"),
    ("Gen.GenF*#3", "the unit has no cost model"),
    ("Gen.GenIO*#3", "the unit has no cost model"),
    ("Gen.GenVariableOM#3", "the unit has no cost model"),
    ("Gen.GenCost*#3", "the unit has no cost model"),
    ("Gen.GenE*#3", "the unit is out of service"),
    ("Gen.GenAGC*#3", "the unit is out of service"),
    ("Gen.GenU*#3", "the unit is out of service"),
    ("Shunt.ShuntID", "the number of a shunt at its bus"),
    ("Shunt.SSRegNum", "the control is held"),
    ("Shunt.SSV*", "the control is held"),
    ("Shunt.SSBlock*", "the control is held"),
    ("Shunt.AreaNum", "see the bus"),
    ("Branch.OwnerNum", "owners"),
    ("Branch.OwnPercent", "owners"),
    ("Branch.XFReg*", "the control is held"),
    ("Branch.XFTap*", "the control is held"),
    ("Branch.XFStep*", "the control is held"),
    ("DCTransmissionLine.BusNum*", "the link is out of service"),
    ("DCTransmissionLine.DCLID", "the link is out of service"),
    ("Branch.LineCircuit", "the number of parallel branches"),
    ("Branch.LineLength", "a length without effect"),
    (
        "Branch.NormLineStatus",
        "the normal status; the status is the one of the case",
    ),
    ("DCTransmissionLine.DCLMW", "the link is out of service"),
    ("Unknown.*", "named: `unknown`"),
];

#[test]
fn no_field_of_an_auxiliary_file_is_lost_without_a_word() {
    check("powerworld", AUX, &aux_fields(AUX), &WITHOUT_EFFECT);
}
