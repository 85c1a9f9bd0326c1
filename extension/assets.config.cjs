// Emits the engine's worker and its WebAssembly as files of their own: a worker made by the bundler would die on the first
// shared package, and a worker cannot be inlined. So is the basemap, which the first map reads. The query lets the server's answers
// be cached for good.
module.exports = {
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
        test: /[\\/]basemap[\\/]\w+\.json$/,
        type: "asset/resource",
        generator: { filename: "[name].[contenthash:8].json?v=[contenthash]" },
      },
    ],
  },
};
