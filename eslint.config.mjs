import js from "@eslint/js";
import jupyter from "@jupyter/eslint-plugin";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

const UNUSED = ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }];

/** Globals of a page that Node does not have. */
const PAGE_ONLY = Object.keys(globals.browser).filter((name) => !(name in globals.node));

export default tseslint.config(
  {
    ignores: [
      "**/lib/",
      "!binder/lib/",
      "**/dist/",
      "**/.tap/",
      "**/.svelte-kit/",
      "engine/target/",
      "engine/wasm/",
      "engine/src/contract.generated.ts",
      "engine/src/contractSchemas.generated.ts",
      "engine/src/messages.generated.ts",
      "engine/src/quantities.generated.ts",
      "widgets/src/text/names/words.generated.ts",
      "extension/webmcp/src/tools.generated.ts",
      "widgets/python/",
      ".venv/",
      ".setup/",
      ".bench/",
    ],
  },
  js.configs.recommended,
  {
    files: ["**/*.{js,mjs,cjs}"],
    languageOptions: { globals: globals.node },
    rules: { "no-unused-vars": UNUSED },
  },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strict],
    languageOptions: { parserOptions: { project: "tsconfig.lint.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-unused-vars": UNUSED,
      // These three need types: a promise without await hides its errors. tap itself waits for its tests.
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafePromises: [{ from: "package", package: "@tapjs/core", name: "PromiseWithSubtest" }] },
      ],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "@typescript-eslint/await-thenable": "error",
    },
  },
  {
    // Cases, sessions and texts are independent of the page and run in Node.
    files: ["widgets/src/workspace/**/*.ts", "widgets/src/text/**/*.ts"],
    rules: { "no-restricted-globals": ["error", ...PAGE_ONLY] },
  },
  { files: ["**/*.tsx"], extends: [reactHooks.configs.flat.recommended] },
  { files: ["extension/src/**/*.{ts,tsx}"], plugins: { jupyter }, rules: jupyter.configs.recommended[0].rules },
);
