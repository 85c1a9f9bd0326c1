export { CaseService, type CaseSummary, ServiceError } from "./caseService.ts";
export { Catalogue } from "./catalogue.ts";
export { Documents, type DocumentState, type LargeView, type PageDocument } from "./documents.ts";
export { hrefOf, type Route, routeOf } from "./route.ts";
