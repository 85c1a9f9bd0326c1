// Communication with the kernel and the edits of an earlier one, independent of ipywidgets.
export { earlierOffer } from "./earlierOffer.ts";
export { KernelLink, type KernelPort } from "./kernelLink.ts";
export { type MapPort, MapSync } from "./mapSync.ts";
export * from "./protocol.ts";
