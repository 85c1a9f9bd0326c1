// The exports of the TypeScript packages as lines of the contract, as the compiler sees them.
import ts from "typescript";
import { at, ROOT } from "../lib/paths.mjs";
import { PUBLIC_MODULES } from "../lib/publicModules.mjs";

const TEXT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;

/** Of the widgets only the names count, because their types belong to the page of this repository. */
const byNameOnly = (module) => module.startsWith("@service/widgets/");

/** Lines of all public modules. */
export function exportLines() {
  const { config } = ts.readConfigFile(at("binder/docs/tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, at("binder/docs"));
  const events = at("server/src/routes/solveStream.ts");
  const files = [...PUBLIC_MODULES.keys()].map((path) => at(`${path}.ts`));
  const program = ts.createProgram([...files, events], options);
  const checker = program.getTypeChecker();
  const exportsOf = (file) =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file))).map((symbol) => ({
      name: symbol.name,
      symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }));
  const described = new Map();
  const lines = [...PUBLIC_MODULES.values()].flatMap((module, index) =>
    exportsOf(files[index]).flatMap(({ name, symbol }) => {
      if (byNameOnly(module)) return [`${module} ${name} : member`];
      const first = described.get(symbol);
      if (first !== undefined) return [`${module} ${name} : member as ${first}`];
      described.set(symbol, `${module} ${name}`);
      return linesOf(checker, `${module} ${name}`, symbol);
    }),
  );
  const stream = exportsOf(events).find(({ name }) => name === "Events");
  const kinds = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(stream.symbol));
  return [...lines, ...kinds.map(({ name }) => `event ${name} : member`)];
}

function linesOf(checker, name, symbol) {
  const { flags } = symbol;
  if (flags & ts.SymbolFlags.Class) {
    const made = checker.getDeclaredTypeOfSymbol(symbol);
    return [`${name} : member class`, ...propertyLines(checker, name, made, "member")];
  }
  if (flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) {
    return typeLines(checker, name, checker.getDeclaredTypeOfSymbol(symbol));
  }
  return valueLines(checker, name, checker.getTypeOfSymbol(symbol), "member");
}

/** A named type: fields, or values, or its text. */
function typeLines(checker, name, type) {
  const parts = type.isUnion() ? type.types : [type];
  if (parts.every((part) => part.isStringLiteral())) {
    return [`${name} : member type`, ...parts.map(({ value }) => `${name}.${value} : value`)];
  }
  if (!type.isUnion() && type.getCallSignatures().length === 0 && checker.getPropertiesOfType(type).length > 0) {
    return [`${name} : member type`, ...propertyLines(checker, name, type, "field")];
  }
  return [`${name} : member ${textOf(checker, type, ts.TypeFormatFlags.InTypeAlias)}`];
}

function propertyLines(checker, name, type, role) {
  return checker.getPropertiesOfType(type).flatMap((property) => {
    const hidden =
      ts.getCombinedModifierFlags(property.declarations?.[0] ?? {}) & ts.ModifierFlags.NonPublicAccessibilityModifier;
    if (hidden || property.name.startsWith("__")) return [];
    const optional = property.flags & ts.SymbolFlags.Optional ? "?" : "";
    return valueLines(checker, `${name}.${property.name}`, checker.getTypeOfSymbol(property), role + optional);
  });
}

/** A typed value: a function as its parameters and result, anything else as the text of its type. */
function valueLines(checker, name, type, role) {
  const [call, ...others] = type.getCallSignatures();
  if (call === undefined || others.length > 0) return [`${name} : ${role} ${long(checker, type)}`];
  const parameters = call.parameters.map((parameter, index) => {
    const declaration = parameter.valueDeclaration;
    const optional = declaration && checker.isOptionalParameter(declaration) ? "?" : "";
    return `${name}(${parameter.name}) : parameter${optional} ${index} ${long(checker, checker.getTypeOfSymbol(parameter))}`;
  });
  // A new function on a type requires nothing of its users.
  const owner = role.endsWith("?") ? "member?" : "member";
  return [`${name} : ${owner} => ${long(checker, call.getReturnType())}`, ...parameters];
}

/** The text of a type, independent of the repository's location. */
function textOf(checker, type, flags = 0) {
  return checker.typeToString(type, undefined, TEXT | flags).replaceAll(`"${ROOT}/`, '"');
}

/** The text of a type; of a large literal the names of its parts. */
function long(checker, type) {
  const text = textOf(checker, type).replaceAll(/\s+/g, " ");
  if (text.length <= 400) return text;
  return `{ ${checker
    .getPropertiesOfType(type)
    .map(({ name }) => name)
    .join(", ")} }`;
}
