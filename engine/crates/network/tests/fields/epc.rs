//! PSLF: every column of every record.

use crate::fields::{check, epc_fields, WithoutEffect};

/// Three buses; a load with all its parts, a unit that holds another bus, a fixed and a controlled shunt, a line and a transformer on
/// its own base.
const EPC: &str = r#"title
FIELDS
!
solution parameters
tap    0    tcul  enabled/disabled
sbase    200.0    system mva base
!
bus data  [    3]
       1 "ONE" 230.00  :  0 1.02 1.02   3.0  1    1 1.05 0.95   400101   391231   0 0   0
       2 "TWO" 230.00  :  2 1.01 1.01   2.0  1    1 1.05 0.95   400101   391231   0 0   0
       3 "THREE" 115.00  :  1 0.99 0.98   1.0  2    2 1.05 0.95   400101   391231   0 0   0
branch data  [    1]
       1 "ONE" 230.00       2 "TWO" 230.00 "1 "  1 "        " :  1 0.01000 0.10000  0.02000  100.0    110.0    120.0    130.0 0.5    1.0 /
 1    1 0.0000 0.000 0.000   400101   391231   0 0  0
transformer data  [    1]
       2 "TWO" 230.00       3 "THREE" 115.00 "1 " "        " :  1  2   3      "        " 115.00   0   -1      "        " 000.00   -1      "        " 000.00   1    1  50.0 0.01000 0.10000 0.00000 0.00000 0.00000 0.00000 /
230.00 115.00   0.00    0.0 0.00100 -0.01000  100.0    110.0    120.0    130.0 0.500 1.5000 0.5100 1.5000 0.5100 0.00625 0.9500 1.0000 1.0000 1.0000
generator data  [    2]
       1 "ONE" 230.00 "1 " "        " :  1       1 "ONE" 230.00  1.00 1.00  1    1  100.00  200.0   5.0    10.0  100.0 -100.0  100.00 0.0 0.1 0.0 0.2 /
 0.0000 0.0000 0.0000
       2 "TWO" 230.00 "1 " "        " :  1       3 "THREE" 115.00  1.00 1.00  1    1  50.00  100.0   5.0    10.0  60.0 -60.0  100.00 0.0 0.1 0.0 0.2 /
 0.0000 0.0000 0.0000
load data  [    1]
       3 "THREE" 115.00 "1 " "        "  :  1   50.000   10.000    4.000    3.000    2.000    1.000  2    2   400101   391231   0 0   0
shunt data  [    1]
       2 "TWO" 230.00 "1 "               1  1 "        " :  1  1    1    0.010   0.200
svd data  [  1]
       3 "THREE" 115.00 "1 " "        " :  1  2     3 "THREE" 115.00  2  2   0.0100   0.3000  0.0  0.0  0.02  0.95  1.05
area data  [ 1]
    1 "AREA 1                          "       1      0.0      5.0      0.0      0.0
zone data  [   1]
    1 "Zone1                           "    0.000    0.000
interface data  [   1]
    1 "East"    0.000    0.000   400.0
end
"#;

const WITHOUT_EFFECT: [WithoutEffect<'static>; 76] = [
    ("bus.R1#2", "the scheduled voltage of a bus that no generator holds"),
    ("bus.R8", "date"),
    ("bus.R9", "date"),
    ("bus.R10", "project"),
    ("bus.R11", "level"),
    ("bus.R12", "owner"),
    ("branch.L2", "the nominal voltage stands with the bus"),
    ("branch.L5", "the nominal voltage stands with the bus"),
    ("branch.L7", "the number of a section; lines of several are refused"),
    ("branch.R7", "a rating for emergencies"),
    ("branch.R8", "the share of losses that an area accounts for"),
    ("branch.R9", "a length without effect"),
    ("branch.R10", "area"),
    ("branch.R11", "zone"),
    ("branch.R15", "date"),
    ("branch.R16", "date"),
    ("branch.R17", "project"),
    ("branch.R18", "owner"),
    ("branch.R19", "owner"),
    ("transformer.L2", "the nominal voltage stands with the bus"),
    ("transformer.L5", "the nominal voltage stands with the bus"),
    ("transformer.R2", "the control is held"),
    ("transformer.R4", "the control is held"),
    ("transformer.R6", "a bus of another table"),
    ("transformer.R8", "a bus of another table"),
    ("transformer.R11", "the nominal voltage of a bus that is not there"),
    ("transformer.R12", "area"),
    ("transformer.R13", "zone"),
    ("transformer.R25", "named: magnetising admittance"),
    ("transformer.R26", "named: magnetising admittance"),
    ("transformer.R30", "a rating for emergencies"),
    ("transformer.R31", "the share of losses that an area accounts for"),
    ("transformer.R32", "the control is held"),
    ("transformer.R33", "the control is held"),
    ("transformer.R34", "the control is held"),
    ("transformer.R35", "the control is held"),
    ("transformer.R36", "the control is held"),
    ("transformer.R40", "the tap of a tertiary winding that is not there"),
    ("generator.L2", "the nominal voltage stands with the bus"),
    (
        "generator.R3",
        "the nominal voltage of the regulated bus stands with the bus",
    ),
    ("generator.R4", "the share of active power in area control"),
    (
        "generator.R5",
        "the share of reactive power among units that hold one bus; shares follow the ranges",
    ),
    ("generator.R6", "area"),
    ("generator.R7", "zone"),
    ("generator.R14", "the base of dynamic data"),
    ("generator.R15", "data for compensation and dynamic studies"),
    ("generator.R16", "data for compensation and dynamic studies"),
    ("generator.R17", "data for dynamic studies"),
    ("generator.R18", "data for dynamic studies"),
    ("load.L2", "the nominal voltage stands with the bus"),
    ("load.R7", "area"),
    ("load.R8", "zone"),
    ("load.R9", "date"),
    ("load.R10", "date"),
    ("load.R11", "project"),
    ("load.R12", "number"),
    ("load.R13", "owner"),
    ("shunt.L2", "the nominal voltage stands with the bus"),
    ("shunt.L4", "circuit"),
    ("shunt.L5", "section"),
    ("shunt.R1", "area"),
    ("shunt.R2", "zone"),
    ("svd.L2", "the nominal voltage stands with the bus"),
    ("svd.R1", "the control is held"),
    ("svd.R2", "the control is held"),
    ("svd.R4", "the control is held"),
    ("svd.R5", "area"),
    ("svd.R6", "zone"),
    ("svd.R9", "the control is held"),
    ("svd.R10", "the control is held"),
    ("svd.R11", "the control is held"),
    ("svd.R12", "the control is held"),
    ("svd.R13", "the control is held"),
    ("area.*", "names and schedules of areas"),
    ("zone.*", "names of zones"),
    ("interface.*", "named: 1 record of interface data"),
];

#[test]
fn no_field_of_an_epc_file_is_lost_without_a_word() {
    check("pslf", EPC, &epc_fields(EPC), &WITHOUT_EFFECT);
}
