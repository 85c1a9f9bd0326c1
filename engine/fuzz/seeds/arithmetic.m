function mpc = arithmetic
% Columns converted behind the tables, and an MVA base by an expression.
mpc.version = '2';
Sn = 1e7;
mpc.baseMVA = Sn / 10^6;
mpc.bus = [
	1	3	0	0	0	0	1	1	0	12.66	1	1	1;
	2	1	100	60	0	0	1	1	0	12.66	1	1.1	0.9;
	3	1	90	40	0	0	1	1	0	12.66	1	1.1	0.9;
];
mpc.gen = [
	1	0	0	10	-10	1	100	1	10	0	0	0	0	0	0	0	0	0	0	0	0;
];
mpc.branch = [
	1	2	0.0922	0.0470	0	0	0	0	0	0	1	-360	360;
	2	3	0.4930	0.2511	0	0	0	0	0	0	1	-360	360;
];
mpc.gencost = [
	2	0	0	3	0	20	0;
];
define_constants;
pf = 0.85; k = [1 2];
mpc.bus(:, QD) = mpc.bus(:, PD) * sin(acos(pf)); mpc.bus(:, PD) = mpc.bus(:, PD) .* pf;
mpc.bus(:, 3:4) = mpc.bus(:, [PD, QD]) / 1e3;
mpc.branch(:, [BR_R ...
    BR_X]) = mpc.branch(:, [BR_R BR_X]) / ((mpc.bus(1, BASE_KV) * 1e3)^2 / Sn);
mpc.gen(:, [PMAX PMIN]) = -1 * mpc.gen(:, [PMIN PMAX]) + 10;
mpc.gencost(:, COST:7) = mpc.gencost(:, COST:7) / sqrt(4);
