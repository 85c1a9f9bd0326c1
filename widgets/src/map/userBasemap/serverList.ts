import { trans } from "../../text/index.ts";
import { button, h } from "../../ui/dom.ts";
import { basemapServers } from "./basemapServers.ts";

/** The allowed basemap servers, each with a button that removes it; hidden if there are none. */
export class ServerList {
  readonly node = h("div", {
    class: "wb-StylePanel-servers",
    attributes: { role: "group", "aria-label": trans.__("Allowed servers") },
  });

  constructor() {
    basemapServers.changed.connect(this.#update, this);
    this.#update();
  }

  dispose(): void {
    basemapServers.changed.disconnect(this.#update, this);
  }

  #update(): void {
    const { all } = basemapServers;
    this.node.hidden = all.length === 0;
    this.node.replaceChildren(
      h("span", { text: trans.__("Allowed servers") }),
      ...all.map((server) => this.#row(server)),
    );
  }

  #row(server: string): HTMLElement {
    const remove = button(trans.__("Remove"), () => {
      basemapServers.revoke(server);
      const next = this.node.querySelector("button") ?? this.node.closest<HTMLElement>("[role=dialog]");
      next?.focus(); // the button and its focus are gone
    });
    remove.setAttribute("aria-label", trans.__("Remove the server %1", server));
    return h("div", { class: "wb-StylePanel-row" }, h("span", { text: server }), remove);
  }
}
