function mpc = four_bus
% Four buses (4 isolated), a transformer, parallel circuits, polynomial and piecewise-linear costs.
mpc.version = '2';
mpc.baseMVA = 200;
mpc.bus = [
	10	3	0	0	0	0	1	1	0	345	2	1.1	0.9;
	20	2	0	0	0	0	1	1	0	345	2	1.1	0.9;
	30	1	90	30	4	-19	1	1	0	138	2	1.1	0.9;
	40	4	50	10	0	0	1	1	0	345	2	1.1	0.9;
];
mpc.gen = [
	10	20	5	300	-300	1.02	100	1	250	10;
	20	0	0	Inf	-Inf	1	100	0	270	10;
	20	70	0	300	-300	1	100	1	300	-30;
];
mpc.branch = [
	10	20	0.01	0.1	0.02	250	0	0	0	0	1	-360	360;
	20	30	0.01	0.1	0	0	0	0	0.98	0	1	-30	45;
	20	30	0.02	0.2	0	0	0	0	0.98	0	1	-30	45;
	10	30	0.01	0.1	0	150	0	0	0	0	0	0	0;
	30	40	0	0	0	0	0	0	0	0	1	0	0;
];
mpc.gencost = [
	2	0	0	3	0.11	5	150	0	0	0;
	2	0	0	3	-0.5	1	600	0	0	0;
	1	0	0	3	0	0	100	1000	300	4000;
];
mpc.bus_name = {'North'; ''; 'Bus [3]'; 'it''s'};
