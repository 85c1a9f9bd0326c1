import { trans } from "../../text/index.ts";
import { button, h, setText } from "../../ui/dom.ts";
import { isPersonsClick } from "../../workspace/index.ts";
import { basemapServers } from "./basemapServers.ts";
import { basemapNewsText, type ChosenBasemap } from "./chosenBasemap.ts";

/** Reports why a basemap is not shown, and asks before a server is contacted. Hidden without news. */
export class BasemapMark {
  readonly node = h("div", { class: "wb-BasemapMark", attributes: { role: "status", hidden: "" } });
  readonly #chosen: ChosenBasemap;
  readonly #words = h("span", { class: "wb-Inspecting-name" });
  readonly #allow: HTMLButtonElement;

  constructor(chosen: ChosenBasemap) {
    this.#chosen = chosen;
    this.#allow = button("", (event) => this.#allowed(event));
    const close = button(trans.__("Keep the map as it is"), () => chosen.dismiss());
    this.node.append(
      h("div", { class: "wb-Inspecting-words" }, this.#words),
      h("div", { class: "wb-Inspecting-ways" }, this.#allow, close),
    );
    chosen.changed.connect(this.#update, this);
    this.#update();
  }

  dispose(): void {
    this.#chosen.changed.disconnect(this.#update, this);
    this.node.remove();
  }

  #allowed(click: Event): void {
    const { news } = this.#chosen;
    if (news !== null && "server" in news && isPersonsClick(click)) {
      basemapServers.allow(news.server);
    }
  }

  #update(): void {
    const { news } = this.#chosen;
    this.node.hidden = news === null;
    this.#allow.hidden = news === null || !("server" in news);
    if (news !== null) {
      setText(this.#words, basemapNewsText(news));
      this.node.dataset["code"] = "code" in news ? news.code : "";
      setText(this.#allow, "server" in news ? trans.__("Load from %1", new URL(news.server).host) : "");
    }
  }
}
