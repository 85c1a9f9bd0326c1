// The stand-alone page with the tools of browser agents, loaded where the browser supports them.
import { workspace } from "@service/widgets/page/main";

if ("modelContext" in document) {
  import("./index.ts").then(
    ({ offerTools }) => offerTools(workspace),
    (error: unknown) => workspace.journal.tell(error instanceof Error ? error.message : String(error)),
  );
}
