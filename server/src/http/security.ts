/**
 * The content security policy: pages of this server may run its own scripts, workers and WebAssembly, use its own
 * styles and fonts, fetch data from it, and show its images and those made in the page. There is no
 * `upgrade-insecure-requests`, because plain http is usual here. `basemaps` are further origins that maps may fetch
 * from.
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
