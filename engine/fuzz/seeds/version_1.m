function [baseMVA, bus, gen, branch, areas, gencost] = two_bus
% Two buses in format version 1; the second unit has no upper limit, and its cost slopes fall by rounding.
baseMVA = 100;
bus = [
	1	3	0	0	0	0	1	1	0	345	1	1.1	0.9;
	2	1	90	30	0	0	1	1	0	345	1	1.1	0.9;
];
gen = [
	1	20	5	300	-300	1.02	100	1	250	10;
	2	20	0	0	0	1	100	1	Inf	0;
];
branch = [ % no angle limits
	1	2	0.01	0.1	0.02	250	0	0	0	0	1;
	1	2	0.01	0.1	0	0	0	0	0.98	-3	1
];
areas = [1 1];
gencost = [
	2	0	0	3	0.11	5	150	0	0	0	0	0;
	1	0	0	4	396	3208.986	397.33333	3219.79067	398.66667	3230.59533	400	3241.4;
];
