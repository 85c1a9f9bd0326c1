export { CaseService, type CaseSummary, ServiceError } from "./catalogue/caseService.ts";
export { Catalogue } from "./catalogue/catalogue.ts";
export type { LargeView } from "../panel/sections/largeView.ts";
export { Documents, type DocumentState, type PageDocument } from "./documents/documents.ts";
export { hrefOf, type Route, routeOf } from "./address/route.ts";
export { KeptStudies } from "./kept/keptStudies.ts";
export { StudyKeeper } from "./kept/studyKeeper.ts";
export { type KeptStudy, StudyChangedError, StudyStore } from "./kept/studyStore.ts";
