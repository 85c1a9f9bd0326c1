// Inputs from a JSON Schema: those it accepts, and those with exactly one violation. It implements JSON Schema for the
// keywords of the tools independently, so that the validator of the tools is compared with different code.
import fc from "fast-check";

/** The keywords of JSON Schema in the schemas of the tools. */
export interface Part {
  readonly type: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Part;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

const KEYWORDS = new Set(
  [
    "type",
    "description",
    "enum",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "minLength",
    "maxLength",
    "minItems",
  ].concat(["maxItems", "items", "properties", "required", "additionalProperties"]),
);

/** The name of an unsupported keyword; undefined without one. */
export function unknownKeyword(part: Part): string | undefined {
  const own = Object.keys(part).find((name) => !KEYWORDS.has(name));
  const inner = [...Object.values(part.properties ?? {}), ...(part.items ? [part.items] : [])];
  return own ?? inner.map(unknownKeyword).find((name) => name !== undefined);
}

/** Values that no schema of a tool accepts anywhere in an input: not JSON, or of an unused type. */
const alien: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, NaN, Infinity, -Infinity, 1n, Symbol("x"), () => 1, new Date(0), new Map()),
  fc.constantFrom<unknown>(
    new Error("x"),
    /x/u,
    new Uint8Array(4),
    new URL("http://localhost/x"),
    Object.create({ a: 1 }),
  ),
);

const typesOf = ({ type }: Part): readonly string[] => (typeof type === "string" ? [type] : type);
/** Ids and numbers of the test network, so that calls pass their schema. */
const CASE = "three_bus";
const KNOWN = [CASE, "1", "2", "3", "4"];
const NEAR = [0, 1, 2, 3, 5, 10, 20, 40, -10, 0.5];

const length = (text: string): number => [...text].length;
const within = (part: Part, value: number): boolean =>
  value >= (part.minimum ?? -Infinity) &&
  value <= (part.maximum ?? Infinity) &&
  value > (part.exclusiveMinimum ?? -Infinity);

/** Values that the schema accepts. */
export function accepted(part: Part): fc.Arbitrary<unknown> {
  if (part.enum) return fc.constantFrom(...part.enum.filter((value) => value !== null));
  return fc.oneof(...typesOf(part).map((type) => ofType(part, type)));
}

function ofType(part: Part, type: string): fc.Arbitrary<unknown> {
  const [low, high] = [part.minimum ?? part.exclusiveMinimum ?? -1e9, part.maximum ?? 1e9];
  switch (type) {
    case "string": {
      const limits = { minLength: part.minLength ?? 0, maxLength: part.maxLength ?? 200 };
      return fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...KNOWN) },
        { weight: 1, arbitrary: fc.string({ ...limits, unit: "binary", size: "max" }) },
        {
          weight: 2,
          arbitrary: fc.constantFrom("__proto__", "constructor", " 2", "2.0", "-1", "1e0", "\u0000", "\ud800"),
        },
      );
    }
    case "integer":
      return fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...NEAR.filter((n) => Number.isInteger(n) && within(part, n))) },
        { weight: 1, arbitrary: fc.integer({ min: Math.ceil(low), max: Math.floor(Math.min(high, 2 ** 31 - 1)) }) },
      );
    case "number":
      return fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...NEAR.filter((n) => within(part, n))) },
        { weight: 1, arbitrary: fc.double({ min: low, max: high, noNaN: true }).filter((n) => within(part, n)) },
      );
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(accepted(part.items as Part), {
        minLength: part.minItems ?? 0,
        maxLength: part.maxItems ?? 3,
        size: "small",
      });
    case "object":
      return fc.record(mapped(part), { requiredKeys: [...(part.required ?? [])] });
    default:
      throw new Error(`a schema has the type ${type}`);
  }
}

const mapped = (part: Part): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(Object.entries(part.properties ?? {}).map(([name, inner]) => [name, named(name, inner)]));

/** A field: the case is mostly the test case, without which a call ends at once. */
function named(name: string, part: Part): fc.Arbitrary<unknown> {
  if (name !== "case_id") return accepted(part);
  return fc.oneof({ weight: 9, arbitrary: fc.constant(CASE) }, { weight: 1, arbitrary: accepted(part) });
}

/** Values that the schema rejects; for objects and lists mostly those with one violation inside. */
export function refused(part: Part): fc.Arbitrary<unknown> {
  const types = typesOf(part);
  const found: fc.Arbitrary<unknown>[] = [
    types.includes("boolean") ? alien.filter((value) => typeof value !== "boolean") : alien,
  ];
  if (!types.includes("object")) found.push(fc.constant({}));
  if (!types.includes("array")) found.push(fc.constant([]));
  if (part.enum) {
    found.push(fc.string().filter((text) => part.enum?.includes(text) === false));
  } else if (types.includes("string")) {
    if (part.minLength === 1) found.push(fc.constant(""));
    const most = part.maxLength ?? Infinity;
    if (most < Infinity)
      found.push(
        fc.string({ minLength: most + 1, maxLength: most + 40, unit: "binary" }).filter((text) => length(text) > most),
      );
  } else {
    found.push(fc.constantFrom("1", "true", "", "[]", "{}"));
  }
  if (types.includes("integer")) found.push(fc.constantFrom(0.5, 1.25, -0.001));
  if (types.includes("integer") || types.includes("number")) {
    const beyond = [-1e300, 1e300].filter((n) => !within(part, n));
    const edges = [(part.minimum ?? part.exclusiveMinimum ?? NaN) - 1, (part.maximum ?? NaN) + 1];
    if (part.exclusiveMinimum !== undefined) edges.push(part.exclusiveMinimum);
    found.push(fc.constantFrom(...[...beyond, ...edges].filter((n) => !Number.isNaN(n))));
  } else {
    found.push(fc.constantFrom(0, 1, -7.5));
  }
  if (part.items) found.push(...wrongLists(part, part.items));
  if (types.includes("object")) found.push(...wrongObjects(part));
  return fc.oneof(...found);
}

function wrongLists(part: Part, items: Part): fc.Arbitrary<unknown>[] {
  const found: fc.Arbitrary<unknown>[] = [];
  const [least, most] = [part.minItems ?? 0, part.maxItems ?? 200];
  found.push(fc.array(accepted(items), { minLength: most + 1, maxLength: most + 3, size: "max" }));
  if (least > 0) found.push(fc.array(accepted(items), { maxLength: least - 1 }));
  const one = fc.tuple(fc.array(accepted(items), { maxLength: 3 }), refused(items), fc.nat());
  found.push(one.map(([list, wrong, at]) => list.toSpliced(at % (list.length + 1), 0, wrong)));
  return found;
}

function wrongObjects(part: Part): fc.Arbitrary<unknown>[] {
  const [good, names] = [accepted(part) as fc.Arbitrary<Record<string, unknown>>, Object.keys(part.properties ?? {})];
  const odd = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("__proto__", "constructor", "toString", "approve"),
  );
  const found: fc.Arbitrary<unknown>[] = [
    fc
      .tuple(good, odd, fc.jsonValue({ maxDepth: 1 }))
      .filter(([, name]) => !names.includes(name))
      .map(([object, name, value]) => with_(object, name, value)),
  ];
  for (const name of part.required ?? [])
    found.push(good.map((object) => Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))));
  // An undefined value is an absent field.
  for (const [name, inner] of Object.entries(part.properties ?? {}))
    found.push(fc.tuple(good, refused(inner)).map(([object, wrong]) => with_(object, name, wrong)));
  return found;
}

/** A copy with one more own field, whatever its name means elsewhere. */
const with_ = (object: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> =>
  Object.defineProperty({ ...object }, name, { value, enumerable: true, configurable: true, writable: true });
