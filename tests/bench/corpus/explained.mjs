// Explanations of rows of the corpus without a matching answer: the first one that fits a row applies.
export const EXPLAINED = [
  {
    formulation: "acpf",
    names: /^pglib_.*(sad|api)$/,
    sentence:
      "Neither the outputs of the DC OPF nor those of the file have a power flow: PGLib raises demand (api) or tightens angle differences (sad) for an optimisation that also chooses voltages and reactive power. The refusal states the share of demand and generation that solves, and where voltages collapse.",
  },
  {
    formulation: "acpf",
    names: /^cats\/CaliforniaTestSystem\.m$/,
    sentence:
      "The case is made for an optimisation that also chooses voltages and reactive power: 9 % of the buses hold their voltage, and a continuation from the unloaded network ends at a third of the load, whatever the dispatch and set-points.",
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
      "A test of readers with two buses: a shunt of 20 per unit behind a reactance of 0.1 per unit leaves no voltage near the nominal one. The relaxation proves that no dispatch fits.",
  },
  {
    formulation: "dcopf",
    names: /case145\.m$/,
    sentence:
      "MATPOWER leaves branches without a rating unlimited and open angle differences free; its optimum has angle differences of 82 degrees. Here both have limits from 60 degrees, two of which contradict each other by 0.465 MW. The refusal names the lines.",
  },
  {
    formulation: "mc",
    names: /4bus_dy\.json/,
    sentence:
      "Lengths of the file are metres and its line code has 0.32 ohm for each, the figure of a kilometre: lines have a thousand times their impedance, and 0.8 % of the loads solve.",
  },
];
