// The server as a library: what its process and its tests use.
export { app, createServer, type AppOptions } from "./app.ts";
export { BaseStore } from "./cases/baseStore.ts";
export { readCatalogue, type CatalogueCase, type CatalogueEntry } from "./cases/catalogue.ts";
export { namingClients, networkOf, peerOf, type ClientOf, type Peer } from "./http/clients.ts";
export { ConfigError, readConfig, VARIABLES, type ServerConfig } from "./config.ts";
export { isHashed } from "./http/content.ts";
export { FALLBACK_FOLDER, findCases } from "./cases/sources.ts";
export { engineFile } from "./solver/engineFile.ts";
export { stageData, StagingError, type StagedCase, type StageOptions } from "./staging/staging.ts";
export { instanceOptions } from "./http/failures.ts";
export { kernelKey } from "./http/secret.ts";
export { listen } from "./http/listen.ts";
export { CaseSummary, ComputeFlag, Health, ErrorReply } from "./http/schemas.ts";
export { FairLine, ITSELF } from "./solver/fairLine.ts";
export { SolverPool, type SolverPoolOptions, type SolverStats } from "./solver/pool.ts";
export { VERSION } from "./version.ts";
