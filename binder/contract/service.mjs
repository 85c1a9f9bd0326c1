// The network interface as lines of the contract: HTTP routes and shapes, tools of agents, environment variables of the
// server.
import { readFileSync } from "node:fs";
import { VARIABLES } from "@service/server";
import { openApi } from "../docs/httpReference.mjs";
import { at } from "../lib/paths.mjs";

/** Lines of the server and of the agents' tools. */
export async function serviceLines() {
  const { paths, components } = await openApi();
  const routes = Object.entries(paths).flatMap(([path, { get }]) => routeLines(`GET ${path}`, get));
  const shapes = Object.entries(components.schemas).flatMap(([name, schema]) => shapeLines(`HTTP ${name}`, schema));
  const variables = VARIABLES.map(([name, meaning]) => {
    const [, standard] = /\(([^()]*)\)$/.exec(meaning) ?? [];
    return `environment ${name} : member${standard === undefined ? "" : ` = ${standard}`}`;
  });
  return [...routes, ...shapes, ...variables, ...toolLines()];
}

function routeLines(name, { parameters = [], responses }) {
  const inputs = parameters.map(
    (one) => `${name}(${one.name}) : parameter${one.required ? "" : "?"} ${one.in} ${plain(one.schema)}`,
  );
  const answers = Object.entries(responses).map(
    ([status, { content = {} }]) =>
      `${name} ${status} : returns ${Object.entries(content)
        .map(([type, { schema }]) => `${type} ${plain(schema)}`)
        .join("; ")}`,
  );
  return [`${name} : member`, ...inputs, ...answers];
}

function shapeLines(name, schema) {
  const { properties, required = [] } = schema;
  if (properties === undefined) return [`${name} : member ${plain(schema)}`];
  const fields = Object.entries(properties).map(
    ([field, shape]) => `${name}.${field} : field${required.includes(field) ? "" : "?"} ${plain(shape)}`,
  );
  return [`${name} : member object`, ...fields];
}

function toolLines() {
  const { tools, limits } = JSON.parse(readFileSync(at("widgets/python/wattbook/agents/tools.json"), "utf8"));
  const lines = tools.flatMap(({ name, inputSchema: { properties = {}, required = [] }, annotations }) => [
    `tool ${name} : member ${plain(annotations)}`,
    ...Object.entries(properties).map(
      ([input, schema]) => `tool ${name}(${input}) : parameter${required.includes(input) ? "" : "?"} ${plain(schema)}`,
    ),
  ]);
  return [...lines, ...Object.entries(limits).map(([name, most]) => `limit of tools ${name} : member ${most}`)];
}

/** A schema as one line, without its descriptions. */
function plain(schema) {
  return (
    JSON.stringify(schema, (key, value) =>
      ["description", "title", "examples"].includes(key) && typeof value !== "object" ? undefined : value,
    ) ?? ""
  );
}
