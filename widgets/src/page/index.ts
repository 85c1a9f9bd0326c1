export { CaseService, type CaseSummary, ServiceError } from "./catalogue/caseService.ts";
export { Catalogue } from "./catalogue/catalogue.ts";
export type { LargeView } from "../panel/sections/largeView.ts";
export { Documents, type DocumentState, type PageDocument } from "./documents/documents.ts";
export { hrefOf, type Route, routeOf } from "./address/route.ts";
export { StoredStudies } from "./storage/storedStudies.ts";
export { StudySaver } from "./storage/studySaver.ts";
export { type StoredStudy, StudyChangedError, StudyStore } from "./storage/studyStore.ts";
