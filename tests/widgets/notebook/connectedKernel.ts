import { MapSync } from "@service/widgets/notebook/kernel";
import { Workspace } from "@service/widgets/workspace";
import { engine } from "../session.ts";
import { FakeKernel } from "./fakeKernel.ts";

/** Both sides of one map. */
export interface Pair {
  kernel: FakeKernel;
  sync: MapSync;
  workspace: Workspace;
  /** Promises of trait changes that the page follows. */
  follow(): Promise<unknown>;
}

/** A page that follows a kernel. */
export function connect(kernel = new FakeKernel(), workspace = new Workspace(engine)): Pair {
  const sync = new MapSync(workspace, kernel);
  let following: Promise<unknown> = Promise.resolve();
  kernel.onMessage = (message, buffers) => sync.receive(message, buffers);
  kernel.onTraits = (names) => {
    following = sync.traitsChanged(names);
  };
  return { kernel, sync, workspace, follow: () => following };
}
