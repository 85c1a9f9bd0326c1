// The environment, checked once: defaults, spellings, and errors that name the variable.
import t from "tap";
import { readConfig } from "@service/server";

t.test("defaults of the specification", async (t) => {
  t.strictSame(readConfig({}), {
    host: "127.0.0.1",
    port: 8000,
    socket: undefined,
    socketGroup: undefined,
    allowedHosts: [],
    basemapOrigins: [],
    data: undefined,
    allowFallback: false,
    content: undefined,
    serverCompute: false,
    solverConcurrency: 2,
    solverTimeoutSecs: 30,
    solveRateLimitEvents: 5,
    sensitivityRateLimitEvents: 25,
    rateLimitWindowSecs: 10,
    logLevel: "info",
    exitWithStdin: false,
    secretFromStdin: false,
  });
});

t.test("booleans", async (t) => {
  for (const yes of ["1", "true", "yes", "on", "TRUE", " On "]) {
    t.equal(readConfig({ SERVICE_SERVER_COMPUTE: yes }).serverCompute, true, yes);
  }
  for (const no of ["", "0", "false", "no", "off"]) {
    t.equal(readConfig({ SERVICE_SERVER_COMPUTE: no }).serverCompute, false, no);
  }
});

t.test("numbers, texts and an unlimited rate", async (t) => {
  t.match(
    readConfig({
      SERVICE_PORT: "0",
      SERVICE_SOLVER_TIMEOUT_SECS: "0.5",
      SERVICE_SOLVE_RATE_LIMIT_EVENTS: "0",
      SERVICE_SOCKET: "/run/x.sock",
      SERVICE_SOCKET_GROUP: "proxies",
      SERVICE_LOG_LEVEL: "warn",
    }),
    {
      port: 0,
      solverTimeoutSecs: 0.5,
      solveRateLimitEvents: 0,
      socket: "/run/x.sock",
      socketGroup: "proxies",
      logLevel: "warn",
    },
  );
});

t.test("malformed values", async (t) => {
  const malformed = {
    SERVICE_SERVER_COMPUTE: "maybe",
    SERVICE_ALLOW_FALLBACK: "2",
    SERVICE_EXIT_WITH_STDIN: "y",
    SERVICE_SECRET_FROM_STDIN: "secret",
    SERVICE_PORT: "65536",
    SERVICE_SOLVER_CONCURRENCY: "0",
    SERVICE_SOLVER_TIMEOUT_SECS: "-1",
    SERVICE_RATE_LIMIT_WINDOW_SECS: "0",
    SERVICE_SOLVE_RATE_LIMIT_EVENTS: "1.5",
    SERVICE_SENSITIVITY_RATE_LIMIT_EVENTS: "many",
    SERVICE_LOG_LEVEL: "loud",
  };
  for (const [name, value] of Object.entries(malformed)) {
    t.throws(
      () => readConfig({ [name]: value }),
      { name: "ConfigError", message: new RegExp(`^${name} must be .*"${value}"`) },
      name,
    );
  }
});

t.test("origins of basemaps", (t) => {
  const read = (value: string) => readConfig({ SERVICE_BASEMAP_ORIGINS: value }).basemapOrigins;
  t.strictSame(read("https://a.example, http://localhost:9000"), ["https://a.example", "http://localhost:9000"]);
  for (const wrong of ["*", "https:", "a.example", "https://a.example/", "https://a.example;script-src *", "'self'"]) {
    t.throws(() => read(wrong), { name: "ConfigError", message: /SERVICE_BASEMAP_ORIGINS/ }, wrong);
  }
  t.end();
});

t.test("names of the server", async (t) => {
  const read = (value: string) => readConfig({ SERVICE_ALLOWED_HOSTS: value }).allowedHosts;
  t.strictSame(read("Grid.example, prices,a_b.example."), ["grid.example", "prices", "a_b.example"]);
  t.strictSame(read(" "), []);
  for (const [value, named] of [
    ["grid.example:8000", "grid.example:8000"],
    ["*", "*"],
    ["*.example", "*.example"],
    ["https://grid.example", "https://grid.example"],
    ["a,,b", ""],
  ] as const) {
    t.throws(() => read(value), {
      name: "ConfigError",
      message: `SERVICE_ALLOWED_HOSTS must be a comma-separated list of host names without ports, not "${named}".`,
    });
  }
});
