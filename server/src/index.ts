// The server as a library: what its process and its tests use.
export { app, createServer, type AppOptions } from "./app.ts";
export { BaseStore } from "./baseStore.ts";
export { readCatalogue, type CatalogueCase, type CatalogueEntry } from "./catalogue.ts";
export { namingClients, peerOf, type ClientOf, type Peer } from "./clients.ts";
export { ConfigError, readConfig, type ServerConfig } from "./config.ts";
export { isHashed } from "./content.ts";
export { FALLBACK_FOLDER, findCases } from "./sources.ts";
export { engineFile } from "./solver/engineFile.ts";
export { stageData, StagingError, type StagedCase, type StageOptions } from "./staging.ts";
export { instanceOptions } from "./failures.ts";
export { listen } from "./listen.ts";
export { CaseSummary, ComputeFlag, Health, ErrorReply } from "./schemas.ts";
export { FairLine } from "./solver/fairLine.ts";
export { SolverPool, type SolverPoolOptions, type SolverStats } from "./solver/pool.ts";
export { VERSION } from "./version.ts";
