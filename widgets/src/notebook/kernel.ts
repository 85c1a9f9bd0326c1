// The conversation with the kernel and what remains of an earlier one, free of ipywidgets.
export { earlierOffer } from "./earlierOffer.ts";
export { KernelLink, type KernelPort } from "./kernelLink.ts";
export { type MapPort, MapSync } from "./mapSync.ts";
export * from "./protocol.ts";
