//! MATPOWER: every column of every table of the manual's appendix B.

use crate::fields::{check, matpower_fields, WithoutEffect};

/// Three buses and one that is isolated; a unit with a quadratic cost and prices of reactive power, a dispatchable load, a unit
/// out of service; a line, a transformer, a line out of service; a DC line, a storage unit, and a switch out of service.
const CASE: &str = "function mpc = fields
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
	% bus_i type Pd Qd Gs Bs area Vm Va baseKV zone Vmax Vmin
	1	3	10	5	1	2	1	1.02	2	230	1	1.1	0.9;
	2	2	20	6	1	2	2	1.01	1	230	2	1.1	0.9;
	3	1	30	7	1	2	1	0.99	1	115	1	1.1	0.9;
];
mpc.gen = [
	% bus Pg Qg Qmax Qmin Vg mBase status Pmax Pmin Pc1 Pc2 Qc1min Qc1max Qc2min Qc2max ramp_agc ramp_10 ramp_30 ramp_q apf
	1	40	3	90	-90	1.02	100	1	200	10	11	12	-5	5	-6	6	7	8	9	10	1;
	2	30	3	80	-80	1.01	100	1	150	10	11	12	-5	5	-6	6	7	8	9	10	1;
	3	-15	-3	0	-6	1	100	1	0	-30	0	0	0	0	0	0	0	0	0	0	0;
	2	10	1	50	-50	1.01	100	0	90	5	11	12	-5	5	-6	6	7	8	9	10	1;
];
mpc.branch = [
	% fbus tbus r x b rateA rateB rateC ratio angle status angmin angmax Pf Qf Pt Qt mu_Sf mu_St mu_angmin mu_angmax
	1	2	0.01	0.1	0.02	120	130	140	0	0	1	-30	30	1	2	3	4	5	6	7	8;
	2	3	0.01	0.2	0.02	120	130	140	0.98	3	1	-30	30	1	2	3	4	5	6	7	8;
	1	3	0.01	0.2	0.02	120	130	140	0	0	0	-30	30	1	2	3	4	5	6	7	8;
];
mpc.gencost = [
	% model startup shutdown n c1 c2 c3 c4
	2	100	50	3	0.01	20	30	0;
	1	100	50	2	0	0	200	3000;
	1	0	0	2	-30	-900	0	0;
	2	100	50	2	25	30	0	0;
];
mpc.dcline = [
	% fbus tbus status Pf Pt Qf Qt Vf Vt Pmin Pmax QminF QmaxF QminT QmaxT loss0 loss1
	1	3	0	10	8.9	1	2	1.01	1	1	10	-5	5	-5	5	0.1	0.01;
];
mpc.storage = [
	% bus ps qs energy energy_rating charge_rating discharge_rating charge_efficiency discharge_efficiency thermal_rating qmin qmax r x p_loss q_loss status
	2	5	1	10	20	8	9	0.9	0.8	12	-5	5	0.01	0.1	0.2	0.3	1;
];
mpc.areas = [
	% area refbus
	1	1;
	2	2;
];
";

const WITHOUT_EFFECT: [WithoutEffect<'static>; 25] = [
    ("gen.mBase", "power is stated in MW and MVAr; no other number refers to this base"),
    ("gen.Pc1", "the capability curve is narrower than the limits only in MATPOWER's OPF with an AC network; no formulation here has it"),
    ("gen.Pc2", "see Pc1"),
    ("gen.Qc1min", "see Pc1"),
    ("gen.Qc1max", "see Pc1"),
    ("gen.Qc2min", "see Pc1"),
    ("gen.Qc2max", "see Pc1"),
    ("gen.ramp_*", "a snapshot has no ramps"),
    ("gen.apf", "the participation factor of automatic generation control; the reference takes what is missing, as in runpf"),
    ("branch.Pf", "result of a solution"),
    ("branch.Qf", "result of a solution"),
    ("branch.Pt", "result of a solution"),
    ("branch.Qt", "result of a solution"),
    ("branch.mu_*", "result of a solution"),
    ("gencost.startup", "a snapshot has no start-ups"),
    ("gencost.shutdown", "a snapshot has no shutdowns"),
    ("gencost.c4#1", "behind the number of coefficients"),
    ("gencost.c4#4", "behind the number of coefficients"),
    ("gencost.c3#4", "behind the number of coefficients"),
    ("dcline.Pt", "computed from Pf and the losses, as in toggle_dcline"),
    ("storage.qmin", "reactive power is held"),
    ("storage.qmax", "reactive power is held"),
    ("storage.x", "reactive power is held"),
    ("storage.q_loss", "reactive power is held"),
    ("areas.*", "names of areas; MATPOWER does not use them either"),
];

#[test]
fn no_field_of_a_matpower_case_is_lost_without_a_word() {
    check("matpower", CASE, &matpower_fields(CASE), &WITHOUT_EFFECT);
}
