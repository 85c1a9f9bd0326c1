import { Token } from "@lumino/coreutils";
import type { LiveMaps } from "./liveMaps.ts";
import type { IWorkspace as WorkspaceOfPage } from "@service/widgets/workspace";

/** The cases and sessions of this page, shared by maps, panel and commands. */
export const IWorkspace = new Token<IWorkspace>(
  "@service/jupyterlab:IWorkspace",
  "The open cases of Wattbook: their sessions, revisions and selections.",
);

/** The type behind the token. */
export type IWorkspace = WorkspaceOfPage;

/** The case maps of kernels that live in this page. */
export const ILiveMaps = new Token<ILiveMaps>(
  "@service/jupyterlab:ILiveMaps",
  "The ids of the widget models whose case maps are in the page.",
);

/** The type behind the token. */
export type ILiveMaps = LiveMaps;
