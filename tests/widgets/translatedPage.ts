// A page whose texts are in the pseudo-language: map, panel and network viewer over the real engine.
import { NetworkView } from "@service/widgets/diagram";
import { StudyPanel } from "@service/widgets/panel";
import { setTranslation } from "@service/widgets/translation";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { pseudoTranslation } from "../fixtures/pseudo.ts";
import type { MapPage } from "./mapPage/main.ts";
import "./mapPage/main.ts";

declare const window: Window & { mapPage: MapPage };

// All modules are loaded by now: a text read during loading stays English.
setTranslation(pseudoTranslation);

/** The interface of the page for tests besides the map. */
export interface TranslatedPage {
  /** Shows the Study panel with all sections open. */
  showPanel(): void;
  /** Takes in files and shows the networks without prices. */
  take(files: { name: string; text: string }[]): Promise<void>;
}

const SECTIONS = ["case", "edit", "result", "compare", "history", "tables", "charts", "outages", "activity"];
const everyOpen = {
  getItem: () => JSON.stringify(Object.fromEntries(SECTIONS.map((id) => [id, true]))),
  setItem: () => undefined,
};

function host(name: string): HTMLElement {
  const element = document.createElement("div");
  element.className = name;
  document.body.append(element);
  return element;
}

const translatedPage: TranslatedPage = {
  showPanel() {
    const { workspace } = window.mapPage;
    const openLarge = (): void => undefined;
    createRoot(host("test-panel")).render(createElement(StudyPanel, { workspace, openLarge, storage: everyOpen }));
  },
  async take(files) {
    const { workspace } = window.mapPage;
    workspace.opening.connect((_, opening) => {
      if (opening.kind === "network") {
        const view = new NetworkView(workspace, opening.network);
        host("test-network").append(view.node);
        view.attached();
        view.showFiles();
      }
    });
    await workspace.intake.take(files.map(({ name, text }) => new File([text], name)));
  },
};
Object.assign(window, { translatedPage });
