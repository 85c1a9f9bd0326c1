// The conversation with the kernel, free of ipywidgets.
export { KernelLink, type KernelPort } from "./kernelLink.ts";
export { type MapPort, MapSync } from "./mapSync.ts";
export * from "./protocol.ts";
