import { type ISignal, Signal } from "@lumino/signaling";
import { errorText, trans } from "../../text/index.ts";
import {
  type BasemapChoice,
  type BundledBasemap,
  isBundled,
  NATURAL_EARTH,
  sameBasemap,
  serverOf,
} from "./basemapChoice.ts";
import { BasemapError } from "./basemapError.ts";
import { type BasemapServers, basemapServers } from "./basemapServers.ts";
import { mapSettings } from "../ground/mapSettings.ts";
import { type OpenBasemap, openBasemap } from "./openBasemap.ts";

/** What lies below the network now. */
export type ShownBasemap = BundledBasemap | OpenBasemap;

/** What a person has to know of a basemap that is not shown: it waits for a server to be allowed, or was refused. */
export type BasemapNews = { readonly server: string } | { readonly code: string; readonly text: string };

/** The basemap of one map: what was chosen for it, or else for all maps of the page. Until one is open, the one before stays. */
export class ChosenBasemap {
  readonly #changed = new Signal<this, void>(this);
  #own: BasemapChoice | null = null;
  #requested: BasemapChoice = NATURAL_EARTH;
  #shown: ShownBasemap = { kind: "natural_earth" };
  /** How often something was opened: only what was opened last is shown. */
  #openings = 0;
  /** What was drawn last: for a basemap that cannot be. */
  #drawn: ShownBasemap = { kind: "natural_earth" };
  /** What comes with the map and was shown last: where nothing else may be drawn. */
  #bundled: BundledBasemap = { kind: "natural_earth" };
  #news: BasemapNews | null = null;
  /** Whether a person keeps the ground as it is, for what was asked for: it is opened only when somebody asks for it anew. */
  #dismissed = false;
  /** Whether WebGL may draw, as the settings say: somebody's basemap is drawn by nothing else. */
  #drawable = mapSettings.ground !== "never";

  constructor() {
    mapSettings.changed.connect(this.#follow, this);
    basemapServers.changed.connect(this.#serversChanged, this);
    this.#follow();
  }

  /** Tells that something else is shown, or that there is news. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** What was asked for, shown or not. */
  get requested(): BasemapChoice {
    return this.#requested;
  }

  get shown(): ShownBasemap {
    return this.#shown;
  }

  get news(): BasemapNews | null {
    return this.#news;
  }

  /** Chooses for this map; null follows the setting of the page. */
  choose(own: BasemapChoice | null): void {
    this.#own = own;
    this.#follow();
  }

  /** Chooses for all maps of the page, as a person does on this one: here it is opened though it was dismissed before. */
  chooseForAll(choice: BasemapChoice): void {
    nameBasemap(choice);
    this.choose(null);
    if (this.#dismissed) {
      this.#open();
    }
  }

  /** Takes note that a server is asked which nobody allowed; the request is not sent. */
  blocked(server: string): void {
    if (!this.#dismissed) {
      this.#report({ server });
    }
  }

  /** Takes note that what is shown is drawn: its server has answered. */
  drawn(basemap: ShownBasemap): void {
    if (basemap === this.#shown && basemap !== this.#drawn) {
      const last = this.#drawn;
      this.#drawn = basemap;
      release(last);
      const server = serverToAsk(this.#requested);
      if (server !== null) {
        basemapServers.shown(server);
      }
    }
  }

  /** Takes note that what is shown cannot be drawn: what was drawn before comes back. */
  refuse(basemap: ShownBasemap, error: BasemapError): void {
    if (basemap === this.#shown) {
      const before = basemap === this.#drawn ? this.#bundled : this.#drawn;
      this.#show(before, { code: error.code, text: error.message });
    }
  }

  /** Leaves the ground as it is. */
  dismiss(): void {
    this.#dismissed = true;
    this.#report(null);
  }

  dispose(): void {
    mapSettings.changed.disconnect(this.#follow, this);
    basemapServers.changed.disconnect(this.#serversChanged, this);
    Signal.clearData(this);
    this.#openings += 1;
    release(this.#shown);
    release(this.#drawn);
  }

  #follow(): void {
    const wanted = this.#own ?? mapSettings.basemap;
    const drawable = mapSettings.ground !== "never";
    if (drawable !== this.#drawable || this.#news !== null || !sameBasemap(wanted, this.#requested)) {
      this.#drawable = drawable;
      this.#requested = wanted;
      this.#open();
    }
  }

  #serversChanged(_: BasemapServers, server: string): void {
    if (basemapServers.allows(server)) {
      if (this.#news !== null && "server" in this.#news && this.#news.server === server) {
        this.#open();
      }
    } else if (serverToAsk(this.#requested) === server) {
      this.#show(this.#bundled);
      this.#open();
    }
  }

  #open(): void {
    const choice = this.#requested;
    this.#openings += 1;
    const opening = this.#openings;
    this.#news = null;
    this.#dismissed = false;
    if (isBundled(choice)) {
      this.#show({ kind: choice.kind });
      return;
    }
    const server = serverToAsk(choice);
    if (server !== null && !basemapServers.allows(server)) {
      this.#report({ server });
      return;
    }
    if (!this.#drawable) {
      const text = trans.__("It needs WebGL: choose that under Layers and style, Basemap drawn by.");
      this.#show(this.#bundled, { code: "BASEMAP.WEBGL", text });
      return;
    }
    openBasemap(choice)
      .then((opened) => (opening === this.#openings ? this.#show(opened) : release(opened)))
      .catch((error: unknown) => {
        if (opening === this.#openings) {
          const code = error instanceof BasemapError ? error.code : "BASEMAP.STYLE";
          this.#report({ code, text: errorText(error) });
        }
      });
  }

  /** Puts something below the network, with news where it is not what was asked for. */
  #show(basemap: ShownBasemap, news: BasemapNews | null = null): void {
    const replaced = new Set([this.#shown, this.#drawn]);
    this.#shown = basemap;
    if ("kind" in basemap) {
      this.#drawn = this.#bundled = basemap;
    }
    this.#report(news);
    for (const last of replaced) {
      if (last !== this.#shown && last !== this.#drawn) {
        release(last);
      }
    }
  }

  #report(news: BasemapNews | null): void {
    this.#news = news;
    this.#changed.emit();
  }
}

/** Gives back what a basemap holds that is not shown any more. */
function release(basemap: ShownBasemap): void {
  if (!("kind" in basemap)) {
    basemap.release?.();
  }
}

/** The server that a basemap is asked of; null for what comes with the map or from a file. */
function serverToAsk(choice: BasemapChoice): string | null {
  return "url" in choice ? serverOf(choice.url) : null;
}

/** Takes what a person chose for all maps: its server may be asked, since the person named it. It is listed once it has answered. */
export function nameBasemap(choice: BasemapChoice): void {
  const server = serverToAsk(choice);
  if (server !== null) {
    basemapServers.name(server);
  }
  mapSettings.basemap = choice;
}

/** News in a sentence. */
export function basemapNewsText(news: BasemapNews): string {
  return "server" in news
    ? trans.__("Load the basemap of this map from %1?", new URL(news.server).host)
    : trans.__("The basemap is not shown: %1 [%2]", news.text, news.code);
}
