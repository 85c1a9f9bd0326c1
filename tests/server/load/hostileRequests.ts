// Hostile requests: valid ones of every route, then broken in the ways that break servers. They are the same in every
// run.

/** One request; `target` is Latin-1 without spaces or line feeds. */
export interface HostileRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
}

/** Numbers in [0, 1): mulberry32. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const long = (text: string, times: number) => text.repeat(times);

/** Names in place of the id of a case, bus or branch. */
const NAMES = [
  ...["three", "named", "2", "1", "0", "-1", "4", "2.0", "1e0", "0x2", "٢", "%32", "2%20", "+2", "null", "NaN"],
  ...["constructor", "__proto__", "toString", "hasOwnProperty", "%5f%5fproto%5f%5f", "undefined", "true"],
  ...["..", ".", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "..%5c..", "....//", "%252e%252e", "%c0%ae%c0%ae", "//"],
  ...[
    "%00",
    "2%00",
    "%0a",
    "%0d%0aset-cookie:%20a=b",
    "%7f",
    "%ff",
    "%ed%a0%80",
    "%f4%90%80%80",
    "%zz",
    "%",
    "%2",
    "%u0032",
  ],
  ...["load%3Abus%2F2", "load:bus/2", "line%202-3", "buses%3A2", "9007199254740993", long("9", 400), long("a", 3000)],
  ...[
    "'%20or%201=1",
    "%3Cscript%3E",
    "$%7Bjndi%7D",
    "{{7*7}}",
    "*",
    "(.*)*",
    "[]",
    "|id",
    ";id",
    "%E2%80%AE",
    "%F0%9F%92%A9",
  ],
];

const MW = [
  ...["1000", "300", long("0", 9000)],
  ...["1", "-1", "0", "-0", "1e1", "+1", ".5", "5.", "90", "-90", "1e308", "-1e308", "1e309", "1e-400", "4.9e-324"],
  ...[
    "NaN",
    "Infinity",
    "-Infinity",
    "0x10",
    "1_0",
    "1,2",
    "1:2",
    "",
    " ",
    "%20",
    "%2B1",
    "--1",
    "1e",
    "e1",
    "1..2",
    "١",
  ],
  ...[long("1", 300), `0.${long("0", 300)}1`, "1%00", "null", "undefined", "[object%20Object]"],
];

const QUERY_NAMES = [
  ...[
    "d",
    "d",
    "d",
    "rates",
    "sens",
    "sens_branch",
    "D",
    "d[]",
    "d.x",
    "d%00",
    "%64",
    "__proto__",
    "constructor",
    "x",
    "",
  ],
  ...["__proto__[a]", "toString", "token", "callback", "q", "d%5B0%5D"],
];

const CASE_ROUTES = [
  "/api/cases/three/network",
  "/api/cases/named/solution",
  "/api/cases/three/sensitivity/lmp/d/{}",
  "/api/cases/named/sensitivity/lmp/fmax/{}",
  "/api/cases/three/solve",
];

const ROUTES = [
  "/api/health",
  "/api/compute",
  "/api/cases",
  "/api/cases/{}/case",
  "/api/cases/{}/network",
  "/api/cases/{}/solution",
  "/api/cases/{}/sensitivity/lmp/d/{}",
  "/api/cases/{}/sensitivity/lmp/fmax/{}",
  "/api/cases/{}/solve",
  "/api/cases/{}",
  "/api/cases/{}/sensitivity/lmp/{}/2",
  "/api/{}",
  "/{}",
  "/api/openapi.json",
  "//api/health",
  "/api//health",
  "/api/health/",
  "/API/health",
  "/api/../api/health",
  "http://elsewhere.example/api/health",
  "http://x:99999/api/health",
  "*",
  "",
];

const METHODS = ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "LOCK"];

const HEADERS: readonly [name: string, values: readonly string[]][] = [
  ["if-none-match", ["*", '"', 'W/"', '"a","b"', ",,,", long('"x",', 500)]],
  ["accept-encoding", ["gzip", "br", "identity;q=0", "*;q=0", "gzip;q=nan", "br;q=1e9", ";;;,,,", long("br,", 900)]],
  ["accept", ["text/event-stream", "*/*", "text/html", "", long("a/b,", 500)]],
  ["x-forwarded-for", ["1.1.1.1", ",", "::1", long("9.9.9.9,", 900), "\u00ff\u00fe", "unknown"]],
  ["x-service-client", ["a", long("c", 5000), "\u0080", "__proto__"]],
  ["range", ["bytes=0-1", "bytes=-1", "bytes=5-1", "lines=1", long("0-1,", 500)]],
  ["last-event-id", ["1", "NaN", long("1", 500)]],
  ["host", ["", "a:b:c", "[::1", long("h", 300), "x y"]],
  ["connection", ["close", "upgrade", "keep-alive, upgrade"]],
  ["content-type", ["application/json", "multipart/form-data", "text/x;charset=\u00ff"]],
  ["cookie", [long("a=b;", 500), "__proto__=1"]],
];

/** `count` requests; the same count and seed give the same ones. */
export function* hostileRequests(count: number, seed: number): Generator<HostileRequest> {
  const random = generator(seed);
  const chance = (p: number) => random() < p;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const pair = () => `${pick(NAMES)}:${pick(MW)}`;
  const list = () => Array.from({ length: Math.floor(random() * (chance(0.05) ? 200 : 4)) }, pair).join(",");
  const value = () => (chance(0.6) ? list() : pick(chance(0.5) ? NAMES : MW));

  for (let k = 0; k < count; k += 1) {
    // Most routes and names are valid, so that the code behind them is reached.
    let target = pick(chance(0.5) ? CASE_ROUTES : ROUTES).replaceAll("{}", () =>
      chance(0.8) ? pick(["three", "2", "named", "1"]) : pick(NAMES),
    );
    if (chance(0.6)) {
      const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => `${pick(QUERY_NAMES)}=${value()}`);
      target += `?${parts.join(pick(["&", "&", "&&", ";", "&amp;", "?"]))}`;
    }
    for (let mutations = chance(0.3) ? 1 + Math.floor(random() * 4) : 0; mutations > 0; mutations -= 1)
      target = mutated(target, random);
    const headers: Record<string, string> = {};
    while (chance(0.15)) {
      const [name, values] = pick(HEADERS);
      headers[name] = pick(values);
    }
    yield { method: chance(0.9) ? "GET" : pick(METHODS), target: Buffer.from(target).toString("latin1"), headers };
  }
}

/**
 * Changes one byte, or doubles, cuts out or moves one piece; never a space or a line feed, which would start another
 * request.
 */
function mutated(target: string, random: () => number): string {
  const at = Math.floor(random() * (target.length + 1));
  const to = Math.min(target.length, at + 1 + Math.floor(random() * 8));
  switch (Math.floor(random() * 4)) {
    case 0:
      return target.slice(0, at) + String.fromCharCode(33 + Math.floor(random() * 94)) + target.slice(at + 1);
    case 1:
      return target.slice(0, at) + target.slice(at, to).repeat(2) + target.slice(to);
    case 2:
      return target.slice(0, at) + target.slice(to);
    default:
      return target.slice(0, at) + `%${Math.floor(random() * 256).toString(16)}` + target.slice(at);
  }
}
