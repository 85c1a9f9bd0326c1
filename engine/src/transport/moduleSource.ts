import { fetchModule } from "../host/load.ts";

/** The engine for a new worker: the URL of its file, which the worker compiles, or the compiled module. */
export type EngineCode = string | WebAssembly.Module;

/**
 * The compiled engine of a page. Compiling 13 MB takes about 100 ms, several frames of the page: the first worker
 * compiles, and all others get its module. If that worker fails, the page compiles.
 */
export class ModuleSource {
  readonly #url: string;
  #module: Promise<WebAssembly.Module> | undefined;
  /** Resolves the promise of the module that a worker compiles. */
  #compiling: ((module: WebAssembly.Module | Promise<WebAssembly.Module>) => void) | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** The engine for one more worker. A worker that gets the URL reports `compiled` or `lost`. */
  async forWorker(): Promise<EngineCode> {
    if (this.#module) return this.#module;
    void this.#keep(new Promise((resolve) => (this.#compiling = resolve)));
    return this.#url;
  }

  /** The first worker has compiled the module. */
  compiled(module: WebAssembly.Module): void {
    this.#compiling?.(module);
    this.#compiling = undefined;
  }

  /** The first worker failed; no effect if the module is already compiled. */
  lost(): void {
    this.#compiling?.(fetchModule(this.#url));
    this.#compiling = undefined;
  }

  /** The compiled module for the calling thread. */
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
