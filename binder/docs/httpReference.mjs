import { createServer, readConfig } from "@service/server";

/** The OpenAPI document served by the server. */
export async function openApi() {
  const server = createServer({ config: { ...readConfig({}), logLevel: "silent" }, catalogue: [] });
  const document = (await server.inject("/api/openapi.json")).json();
  await server.close();
  return document;
}

/** The reference of the HTTP routes as one page in Markdown, from {@link openApi}. */
export async function httpReference() {
  const { paths, components } = await openApi();
  const routes = Object.entries(paths).flatMap(([path, { get }]) => [
    `## GET ${path}`,
    get.description ?? get.summary ?? "",
    table(
      ["Parameter", "In", "Meaning"],
      (get.parameters ?? []).map(({ name, in: place, description }) => [`\`${name}\``, place, description ?? ""]),
    ),
    table(
      ["Status", "Answer"],
      Object.entries(get.responses).map(([status, answer]) => [status, `${shapeOf(answer)}${answer.description}`]),
    ),
  ]);
  const shapes = Object.entries(components.schemas).map(
    ([name, schema]) => `### ${name}\n\n\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``,
  );
  const head = "# HTTP reference";
  const about =
    "From the server's own description, `/api/openapi.json`. Rules that types cannot express are in the contract.";
  return `${[head, about, ...routes, "## Shapes", ...shapes].filter(Boolean).join("\n\n")}\n`;
}

/** The name of the shape of a JSON answer. */
function shapeOf({ content }) {
  const schema = content?.["application/json"]?.schema;
  const name = /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(schema ?? {}))?.[1];
  if (name === undefined) return "";
  return `${schema.type === "array" ? "list of " : ""}\`${name}\`. `;
}

function table(head, rows) {
  if (rows.length === 0) return "";
  const line = (cells) =>
    `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
