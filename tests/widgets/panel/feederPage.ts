// A page with a feeder of a module, solved over the real engine, in its view.
import { configureEngine, engine } from "@service/engine";
import { NetworkView } from "@service/widgets/diagram";
import { viewDistribution, type FeederStudy, Workspace } from "@service/widgets/workspace";

configureEngine({
  wasmUrl: new URL("/engine/wasm/wattbook_engine_bg.wasm", location.href),
  workerUrl: new URL("/engine/lib/engine.worker.js", location.href),
});

/** The interface of the page for tests. */
export interface FeederPage {
  open(moduleJson: string): Promise<void>;
  feeder: FeederStudy | null;
}

const feederPage: FeederPage = {
  feeder: null,
  async open(moduleJson) {
    const network = viewDistribution(await engine.inspectDistribution(moduleJson), engine, "village");
    feederPage.feeder = network.feeder;
    await network.feeder?.solve({ source_impedance: "branch" });
    const view = new NetworkView(new Workspace(engine), network);
    const host = document.createElement("div");
    host.style.cssText = "display: flex; height: 100vh";
    host.append(view.node);
    document.body.append(host);
    view.attached();
  },
};
Object.assign(window, { mapPage: feederPage });
