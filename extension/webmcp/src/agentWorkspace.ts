import type { IWorkspace } from "@service/widgets/workspace";

/** The part of the workspace that tools use. */
export type AgentWorkspace = Pick<
  IWorkspace,
  "active" | "catalogue" | "changed" | "front" | "journal" | "network" | "networks" | "sessions" | "show"
>;
