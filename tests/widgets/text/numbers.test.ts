import t from "tap";
import {
  formatDegrees,
  formatDerivative,
  formatDuration,
  formatError,
  formatLoading,
  formatMoney,
  formatMw,
  formatPrice,
  formatPriceChange,
  formatResidual,
  formatUpTo,
  notPowerSentence,
  formatMwChange,
  parseMw,
  parseNumber,
} from "@service/widgets/text";

t.test("prices have 2 decimals, commas between thousands and a true minus", async (t) => {
  t.equal(formatPrice(34.2049), "34.20");
  t.equal(formatPrice(-0.5), "\u22120.50");
  t.equal(formatPrice(1234567.891), "1,234,567.89");
  t.equal(formatPrice(-0.001), "0.00", "no negative zero");
  t.equal(formatPrice(12, { signed: true }), "+12.00");
  t.equal(formatMoney(70784.444), "70,784.44");
});

t.test("MW have 1 decimal, and 3 below 1", async (t) => {
  t.equal(formatMw(17772.86), "17,772.9");
  t.equal(formatMw(0.25), "0.250");
  t.equal(formatMw(-0.6474), "\u22120.647");
  t.equal(formatMw(0.9996), "1.0", "what rounds to 1 is written like 1");
  t.equal(formatMw(0, { signed: true }), "0.0", "zero has no sign");
  t.equal(formatMw(34.2, { signed: true }), "+34.2");
  for (const half of [3175.55, 3175.549_999_999_999_7, 3175.550_000_000_000_2]) {
    t.equal(formatMw(half), "3,175.6", "halves of sums agree");
  }
  t.equal(formatMw(3175.5499), "3,175.5");
  t.equal(formatMw(-0.0005), "\u22120.001");
  t.equal(formatPrice(1.005), "1.01", "as it is written");
  t.equal(formatPrice(1e-9), "0.00");
});

t.test("derivatives have 3 significant digits", async (t) => {
  t.equal(formatDerivative(0.0958974), "0.0959");
  t.equal(formatDerivative(1.05), "1.05");
  t.equal(formatDerivative(-1.8349), "\u22121.83");
  t.equal(formatDerivative(9.999), "10.0");
  t.equal(formatDerivative(12345), "12,300");
  t.equal(formatDerivative(1.234e-7, { signed: true }), "+1.23e\u22127");
  t.equal(formatDerivative(0, { signed: true }), "0");
});

t.test("loadings, residuals and durations", async (t) => {
  t.equal(formatLoading(0.97), "97 %");
  t.equal(formatLoading(0.9951), "99.5 %", "near the rating the tenth matters");
  t.equal(formatLoading(1), "100 %");
  t.equal(formatResidual(2.1e-11), "2e\u221211");
  t.equal(formatResidual(0), "0");
  t.equal(formatDuration(8.31), "8.3 ms");
  t.equal(formatDuration(410.4), "410 ms");
  t.equal(formatDuration(1250), "1.3 s");
});

t.test("missing values are words", async (t) => {
  for (const format of [formatPrice, formatMw, formatMoney, formatDerivative, formatLoading]) {
    t.equal(format(NaN), "not defined");
  }
});

t.test("typed numbers: both minus signs, plus, commas between thousands; everything else is refused", async (t) => {
  t.equal(parseNumber(" +12.5 "), 12.5);
  t.equal(parseNumber("\u22123"), -3);
  t.equal(parseNumber("-3"), -3);
  t.equal(parseNumber("1,234.5"), 1234.5);
  t.equal(parseNumber(".5"), 0.5);
  for (const text of ["", "12 MW", "1,5", "--3", "Infinity", "1.2.3"]) {
    t.equal(parseNumber(text), null, text);
  }
  for (const mw of [-1234.5, -0.25, 0, 0.838, 46.9, 20000]) {
    t.equal(parseNumber(formatMw(mw, { signed: true })), mw, "what is shown can be typed");
  }
});

t.test("errors and changes of prices have significant digits", async (t) => {
  t.equal(formatError(3.512), "3.51");
  t.equal(formatError(0.0021), "0.0021");
  t.equal(formatError(0.09961), "0.10");
  t.equal(formatError(0.0000034), "0.0000034");
  t.equal(formatError(7.1e-14), "7e\u221214");
  t.equal(formatError(0), "0.00");
  t.equal(formatError(NaN), "not defined");
  t.equal(formatPriceChange(-0.02131, { signed: true }), "\u22120.0213");
  t.equal(formatPriceChange(19.6587, { signed: true }), "+19.66");
  t.equal(formatPriceChange(0), "0");
});

t.test("a change of power has the digits that show it", async (t) => {
  t.equal(formatMwChange(61.2, 81.2), "61.2 \u2192 81.2");
  t.equal(formatMwChange(90, 90.02), "90.000 \u2192 90.020");
  t.equal(formatMwChange(0, 0.5), "0.0 \u2192 0.500");
});

t.test("a power is typed with or without its unit", async (t) => {
  for (const [text, mw] of [
    ["12.5", 12.5],
    ["\u22123 MW", -3],
    ["20 kW", 0.02],
    ["20kw", 0.02],
    ["1.1 GW", 1100],
    ["1,234.5 mw", 1234.5],
    [" .5 kW ", 0.0005],
    ["0.1 kW", 0.0001],
    ["1e3 kW", 1],
  ] as const) {
    t.equal(parseMw(text), mw, text);
  }
  for (const text of ["", "kW", "20 kg", "20 W", "20 kWh", "20 MVA", "twenty", "1 2 MW", "20 kW kW"]) {
    t.equal(parseMw(text), null, text);
  }
  t.equal(
    notPowerSentence("12,5 MW "),
    "\u201c12,5 MW\u201d is not a valid value in MW. Write decimals with a point: 12.5 MW.",
  );
  t.match(notPowerSentence("1,2,5"), "Type MW", "no number with a point either");
  t.equal(
    notPowerSentence(" 20 kg"),
    "\u201c20 kg\u201d is not a valid value in MW. Type MW, or a number with kW, MW or GW, for instance 12.5, \u22123 or 20 kW.",
  );
});

t.test("numbers have a maximum of decimals, and degrees their sign", async (t) => {
  t.equal(formatUpTo(1034.2, 2), "1,034.2");
  t.equal(formatUpTo(1034, 2), "1,034");
  t.equal(formatUpTo(100, 0), "100");
  t.equal(formatUpTo(0.999, 2), "1");
  t.equal(formatUpTo(-2.54, 1), "\u22122.5");
  t.equal(formatUpTo(-0.001, 2), "0");
  t.equal(formatUpTo(NaN, 2), "not defined");
  t.equal(formatDegrees(-120), "\u2212120.00");
});
