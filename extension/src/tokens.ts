import { Token } from "@lumino/coreutils";
import type { Workspace } from "@service/widgets/workspace";

/** The cases and sessions of this page, shared by maps, panel and commands. */
export const IWorkspace = new Token<IWorkspace>(
  "@service/jupyterlab:IWorkspace",
  "The open cases of Wattbook: their sessions, revisions and selections.",
);

/** The type behind the token. */
export type IWorkspace = Workspace;
