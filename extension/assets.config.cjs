// Emits the engine's worker and its WebAssembly as files of their own: a worker made by the bundler would die on the first
// shared package, and a worker cannot be inlined. So is the basemap, which the first map reads. The query lets the server's answers
// be cached for good.
const bundled = import("../binder/notices/bundled.mjs");

/** Notes which packages are in the bundle, for the licence notices. The bundler's own run-time code is in it as well. */
class RecordBundled {
  apply(compiler) {
    compiler.hooks.done.tapPromise("RecordBundled", async (stats) => {
      const { recordBundled } = await bundled;
      const { modules } = stats.toJson({ all: false, modules: true, nestedModules: true, modulesSpace: Infinity });
      const bundler = require.resolve("@rspack/core", { paths: [require.resolve("@jupyter/builder")] });
      recordBundled("labextension", [...modules.flatMap(filesOf), bundler]);
    });
  }
}

/** The files of a module and of those that were joined to it; code that the bundler made up has none. */
function filesOf({ nameForCondition, modules = [] }) {
  return [...(nameForCondition ? [nameForCondition] : []), ...modules.flatMap(filesOf)];
}

module.exports = {
  plugins: [new RecordBundled()],
  module: {
    rules: [
      {
        test: /engine\.worker\.js$/,
        type: "asset/resource",
        generator: { filename: "[name].[contenthash:8].js?v=[contenthash]" },
      },
      {
        test: /\.wasm$/,
        type: "asset/resource",
        generator: { filename: "[name].[contenthash:8].wasm?v=[contenthash]" },
      },
      {
        test: /[\\/]maplibreWorker\.js$/,
        type: "asset/resource",
        generator: { filename: "[name].[contenthash:8].js?v=[contenthash]" },
      },
      {
        test: /[\\/]basemap[\\/]\w+\.(json|pmtiles)$/,
        type: "asset/resource",
        generator: { filename: "[name].[contenthash:8][ext]?v=[contenthash]" },
      },
    ],
  },
};
