import { fetchModule } from "../host/load.ts";

/** The engine as a new worker gets it: the URL of its file, to be compiled there, or the compiled module. */
export type EngineCode = string | WebAssembly.Module;

/**
 * The compiled engine of a page. To compile 13 MB takes a thread some 100 ms, several frames of the page: the first worker does it
 * and gives the module to all others. Where that worker fails, the page compiles.
 */
export class ModuleSource {
  readonly #url: string;
  #module: Promise<WebAssembly.Module> | undefined;
  /** Answers for the worker that compiles. */
  #compiling: ((module: WebAssembly.Module | Promise<WebAssembly.Module>) => void) | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** For one more worker. The one that gets the URL answers by `compiled` or `lost`. */
  async forWorker(): Promise<EngineCode> {
    if (this.#module) return this.#module;
    void this.#keep(new Promise((resolve) => (this.#compiling = resolve)));
    return this.#url;
  }

  /** The first worker has compiled it. */
  compiled(module: WebAssembly.Module): void {
    this.#compiling?.(module);
    this.#compiling = undefined;
  }

  /** The first worker failed; nothing where it had compiled before. */
  lost(): void {
    this.#compiling?.(fetchModule(this.#url));
    this.#compiling = undefined;
  }

  /** For the calling thread. */
  here(): Promise<WebAssembly.Module> {
    return this.#module ?? this.#keep(fetchModule(this.#url));
  }

  /** Retries after a failure, never after a success. */
  #keep(module: Promise<WebAssembly.Module>): Promise<WebAssembly.Module> {
    this.#module = module;
    module.catch(() => (this.#module = undefined));
    return module;
  }
}
