// The parts of the stand-alone page that need no browser: addresses, open documents, and the values of its themes.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import t from "tap";
import {
  type CaseService,
  type CaseSummary,
  Documents,
  hrefOf,
  type LargeView,
  type Route,
  routeOf,
} from "@service/widgets/page";
import { type CaseSession, Workspace } from "@service/widgets/workspace";
import { deferred, engine, ingested } from "../session.ts";

const SUMMARY: CaseSummary = {
  id: "three",
  name: "Three buses",
  n_bus: 3,
  n_branch: 3,
  n_gen: 2,
  description: "",
  unavailable_reason: null,
};

type ModuleAnswer = Awaited<ReturnType<CaseService["module"]>>;

/** Documents over the real engine and a service that answers with `module`. */
function documentsOn(module: (fresh: boolean) => Promise<ModuleAnswer>) {
  const workspace = new Workspace(engine);
  const service = { module: (_: CaseSummary, fresh = false) => module(fresh) } as Partial<CaseService> as CaseService;
  return { workspace, documents: new Documents(workspace, service) };
}

const three = (): Promise<ModuleAnswer> =>
  Promise.resolve({ sha256: ingested.sha256, text: () => Promise.resolve(ingested.module_json) });

/** The session of a document that is open. */
function sessionOf(documents: Documents, key: string): CaseSession {
  const state = documents.list.find((document) => document.key === key)?.state;
  if (state?.kind !== "case") {
    throw new Error(`${key} is not open but ${state?.kind}`);
  }
  return state.session;
}

t.test("an address round-trips", async (t) => {
  const routes: Route[] = [
    { kind: "home" },
    { kind: "case", id: "texas" },
    { kind: "case", id: "a b&c=d#e/f" },
    { kind: "file", key: "local-1", name: "my case #2 & more.m" },
    { kind: "view", key: "view:buses", name: "Buses" },
  ];
  for (const route of routes) {
    const address = new URL(hrefOf(route), "http://somewhere/user/ada/");
    t.equal(address.pathname, "/user/ada/", "below every prefix");
    t.strictSame(routeOf(address), route);
  }
  t.strictSame(routeOf({ search: "", hash: "#case=texas" }), { kind: "case", id: "texas" });
  t.strictSame(routeOf({ search: "?case=", hash: "#file=" }), { kind: "home" });
});

t.test("a served case passes its stages, opens once, and ends with its view", async (t) => {
  const { workspace, documents } = documentsOn(three);
  const stages: string[] = [];
  documents.changed.connect(() => {
    const state = documents.list[0]?.state;
    stages.push(state?.kind === "opening" ? state.stage : (state?.kind ?? "none"));
  });
  await Promise.all([documents.openServed(SUMMARY), documents.openServed(SUMMARY)]);
  t.equal(documents.list.length, 1);
  t.strictSame([...new Set(stages)], ["fetching", "reading", "solving", "case"]);
  const session = sessionOf(documents, "case:three");
  t.equal(session.caseId, "three");
  t.equal(workspace.active, session, "the panel follows what is in front");

  const [document] = documents.list;
  t.ok(document);
  if (document !== undefined) {
    documents.close(document);
    t.strictSame([documents.list.length, documents.front, workspace.sessions.length], [0, null, 1]);
    documents.release(document.state);
    t.equal(workspace.sessions.length, 0);
  }
});

t.test("a failure is reported, and the next attempt requests the list anew", async (t) => {
  const attempts: boolean[] = [];
  const { documents } = documentsOn((fresh) => {
    attempts.push(fresh);
    const sha256 = fresh ? ingested.sha256 : "0".repeat(64);
    return Promise.resolve({ sha256, text: () => Promise.resolve(ingested.module_json) });
  });
  await documents.openServed(SUMMARY);
  t.match(documents.front?.state, { kind: "failed", message: /SHA-256 differs/ });
  await documents.openServed(SUMMARY);
  t.equal(documents.front?.state.kind, "case");
  t.strictSame(attempts, [false, true]);
});

t.test("a case closed during opening leaves no session", async (t) => {
  const answer = deferred<ModuleAnswer>();
  const { workspace, documents } = documentsOn(() => answer.promise);
  const opening = documents.openServed(SUMMARY);
  const [document] = documents.list;
  t.ok(document);
  if (document !== undefined) {
    documents.close(document);
  }
  answer.resolve(await three());
  await opening;
  t.strictSame([documents.list.length, workspace.sessions.length], [0, 0]);
});

t.test("large views open once and close with their case", async (t) => {
  const { workspace, documents } = documentsOn(three);
  await documents.openServed(SUMMARY);
  const session = sessionOf(documents, "case:three");
  let disposed = 0;
  const view = (id: string): LargeView => ({
    id,
    title: id,
    node: {} as HTMLElement,
    attached: () => undefined,
    resized: () => undefined,
    dispose: () => (disposed += 1),
  });
  documents.openLarge(view("buses"), session);
  documents.openLarge(view("lines"), session);
  documents.openLarge(view("buses"), session);
  t.equal(disposed, 1, "the second of one kind is not needed");
  t.strictSame(
    documents.list.map(({ key }) => key),
    ["case:three", "view:buses", "view:lines"],
  );
  t.equal(documents.front?.key, "view:buses");
  await documents.openServed({ ...SUMMARY, id: "again" });
  const [first] = documents.list;
  t.ok(first);
  if (first !== undefined) {
    documents.close(first);
  }
  t.strictSame(
    documents.list.map(({ key }) => key),
    ["case:again"],
  );
  t.equal(workspace.active, sessionOf(documents, "case:again"));
});

// Themes

const style = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../widgets/style/${name}`, import.meta.url)), "utf8");

/** The variables of a theme, including those of the themes below it. */
function variables(theme: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, selector = "", body = ""] of style("page/theme.css").matchAll(/(:root[^{]*?)\s*\{([^}]*)\}/g)) {
    const [, mark, value = ""] = /\[data-theme(\^?=)"([^"]+)"\]/.exec(selector) ?? [];
    if (mark === undefined || (mark === "^=" ? theme.startsWith(value) : theme === value)) {
      for (const [, name = "", text = ""] of body.matchAll(/(--[\w-]+):\s*([^;]+);/g)) {
        found.set(name, text);
      }
    }
  }
  return found;
}

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(colour: string): number {
  const channel = (at: number): number => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

t.test("every variable of JupyterLab that the styles use has a value on the page", async (t) => {
  const sources = readdirSync(fileURLToPath(new URL("../../../widgets/style/", import.meta.url)), { recursive: true })
    .filter((name): name is string => typeof name === "string" && name.endsWith(".css"))
    .map(style);
  const used = new Set(sources.flatMap((text) => [...text.matchAll(/var\((--jp-[\w-]+)/g)].map(([, name]) => name)));
  t.ok(used.size > 20);
  const known = variables("light");
  t.strictSame(
    [...used].filter((name) => name === undefined || !known.has(name)),
    [],
  );
});

for (const [theme, least] of [
  ["light", 4.5],
  ["dark", 4.5],
  ["light-contrast", 7],
  ["dark-contrast", 7],
] as const) {
  t.test(`${theme}: text has a contrast of ${least}, borders that mean something 3`, async (t) => {
    const values = variables(theme);
    const value = (name: string): string => values.get(name) ?? "";
    const grounds = ["--jp-layout-color0", "--jp-layout-color1", "--wb-page-ground"];
    const texts = ["--jp-ui-font-color0", "--jp-ui-font-color1", "--jp-ui-font-color2", "--jp-content-link-color"];
    const marks = ["--jp-error-color1", "--jp-success-color1", "--jp-brand-color1", "--jp-input-border-color"];
    for (const ground of [...grounds, "--jp-layout-color2"]) {
      for (const text of texts) {
        const found = contrast(value(text), value(ground));
        t.ok(found >= least, `${text} on ${ground}: ${found.toFixed(2)}`);
      }
    }
    for (const ground of grounds) {
      for (const mark of marks) {
        const found = contrast(value(mark), value(ground));
        t.ok(found >= 3, `${mark} on ${ground}: ${found.toFixed(2)}`);
      }
    }
  });
}
