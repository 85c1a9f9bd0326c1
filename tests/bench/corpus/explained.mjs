// Explanations of rows of the corpus without a matching answer: the first one that fits a row applies.
export const EXPLAINED = [
  {
    formulation: "acpf",
    names: /^pglib_.*(sad|api)$/,
    sentence:
      "Neither the outputs of the DC OPF nor those of the file have a power flow: PGLib raises demand (api) or tightens angle differences (sad) for an optimisation that also chooses voltages and reactive power. The refusal states the share that solves.",
  },
  {
    formulation: "acpf",
    names: /^cats\/CaliforniaTestSystem\.m$/,
    sentence:
      "The case is made for an optimisation that also chooses voltages: 9 % of the buses hold theirs, and a continuation from the unloaded network ends at a third of the load.",
  },
  {
    formulation: "acpf",
    names: /five_bus_nodeBreaker/,
    sentence: "A test of readers: one island has demand and no unit that holds a voltage.",
  },
  {
    formulation: "acpf",
    names: /shunt_2bus\.epc/,
    sentence:
      "A test of readers: a shunt of 20 per unit behind a reactance of 0.1 per unit leaves no voltage near the nominal one. The relaxation proves that no dispatch fits.",
  },
  {
    formulation: "dcopf",
    names: /case145\.m$/,
    sentence:
      "MATPOWER's optimum has angle differences of 82 degrees. Here open ones, and branches without a rating, have limits from 60 degrees, two of which contradict each other by 0.465 MW.",
  },
  {
    formulation: "mc",
    names: /4bus_dy\.json/,
    sentence: "The line code has the impedance of a kilometre for each metre, and 0.8 % of the loads solve.",
  },
];
