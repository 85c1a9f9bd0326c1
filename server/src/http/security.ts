/**
 * What pages of this server may do, and nothing else: run its own scripts, workers and WebAssembly, take its own styles and fonts,
 * ask it for data, show its images and those that are made on the spot. There is no `upgrade-insecure-requests`: plain http is
 * the usual way here. `basemaps` are the origins that its maps may ask besides.
 */
export const contentSecurityPolicy = (basemaps: readonly string[]) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
    workerSrc: ["'self'", "blob:"],
    connectSrc: ["'self'", ...basemaps],
    imgSrc: ["'self'", "data:", "blob:"],
    styleSrc: ["'self'"],
    fontSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'self'"],
  },
});
