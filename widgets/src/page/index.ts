export { CaseService, type CaseSummary, ServiceError } from "./caseService.ts";
export { Catalogue } from "./catalogue.ts";
export type { LargeView } from "../panel/largeView.ts";
export { Documents, type DocumentState, type PageDocument } from "./documents.ts";
export { hrefOf, type Route, routeOf } from "./route.ts";
