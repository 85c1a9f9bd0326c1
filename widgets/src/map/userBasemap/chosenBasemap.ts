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

/** The ground below the network now. */
export type ShownBasemap = BundledBasemap | OpenBasemap;

/** A message about a basemap that is not shown: it waits for permission to contact a server, or was refused. */
export type BasemapNews = { readonly server: string } | { readonly code: string; readonly text: string };

/**
 * The basemap of one map: its own choice, or else that of all maps of the page. Until it has been opened, the previous
 * one stays.
 */
export class ChosenBasemap {
  readonly #changed = new Signal<this, void>(this);
  #own: BasemapChoice | null = null;
  #requested: BasemapChoice = NATURAL_EARTH;
  #shown: ShownBasemap = { kind: "natural_earth" };
  /** Counter of openings: only the last one is shown. */
  #openings = 0;
  /** The last ground that was drawn, to fall back to. */
  #drawn: ShownBasemap = { kind: "natural_earth" };
  /** The last bundled ground, where nothing else may be drawn. */
  #bundled: BundledBasemap = { kind: "natural_earth" };
  #news: BasemapNews | null = null;
  /** Whether a person dismissed the requested basemap; it is opened only when it is requested again. */
  #dismissed = false;
  /** Whether the settings permit WebGL, which a user's basemap requires. */
  #drawable = mapSettings.ground !== "never";

  constructor() {
    mapSettings.changed.connect(this.#follow, this);
    basemapServers.changed.connect(this.#serversChanged, this);
    this.#follow();
  }

  /** Emitted when the ground or the news has changed. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** The requested basemap, shown or not. */
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

  /** Chooses for all maps of the page; on this map it is opened even if it was dismissed before. */
  chooseForAll(choice: BasemapChoice): void {
    nameBasemap(choice);
    this.choose(null);
    if (this.#dismissed) {
      this.#open();
    }
  }

  /** Records a blocked request to a server that is not allowed. */
  blocked(server: string): void {
    if (!this.#dismissed) {
      this.#report({ server });
    }
  }

  /** Records that the basemap was drawn: its server has answered. */
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

  /** Records that the basemap cannot be drawn, and returns to the previous one. */
  refuse(basemap: ShownBasemap, error: BasemapError): void {
    if (basemap === this.#shown) {
      const before = basemap === this.#drawn ? this.#bundled : this.#drawn;
      this.#show(before, { code: error.code, text: error.message });
    }
  }

  /** Dismisses the request; the ground stays. */
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

  /** Shows a ground, with news where it is not the requested one. */
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

/** Frees the resources of a basemap that is no longer shown. */
function release(basemap: ShownBasemap): void {
  if (!("kind" in basemap)) {
    basemap.release?.();
  }
}

/** The server that a basemap needs; null for a bundled one or a file. */
function serverToAsk(choice: BasemapChoice): string | null {
  return "url" in choice ? serverOf(choice.url) : null;
}

/**
 * Applies a person's choice for all maps: its server may be contacted because the person named it, and is listed once
 * it has answered.
 */
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
