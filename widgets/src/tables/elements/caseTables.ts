import { trans } from "../../text/index.ts";
import type { CaseSession } from "../../workspace/index.ts";
import { branchTable } from "./branchTable.ts";
import { busTable } from "./busTable.ts";
import type { CaseTable, TableKind } from "./caseTable.ts";
import { generatorTable } from "./generatorTable.ts";
import { linkTable } from "./linkTable.ts";
import { storageTable } from "./storageTable.ts";

/** The kinds of table of a case with their titles. */
export function tableKinds({ opened }: CaseSession): readonly [kind: TableKind, title: string][] {
  return [
    ["buses", trans.__("Buses")],
    ["branches", trans.__("Lines")],
    ["generators", trans.__("Generators")],
    ...(opened.links.length > 0 ? [["links", trans.__("HVDC links")] as [TableKind, string]] : []),
    ...(opened.storage.length > 0 ? [["storage", trans.__("Storage")] as [TableKind, string]] : []),
  ];
}

/** The table of one kind over a session, with the numbers displayed at the time of the call. */
export function caseTable(session: CaseSession, kind: TableKind): CaseTable {
  switch (kind) {
    case "buses":
      return busTable(session);
    case "branches":
      return branchTable(session);
    case "generators":
      return generatorTable(session);
    case "links":
      return linkTable(session);
    case "storage":
      return storageTable(session);
  }
}
