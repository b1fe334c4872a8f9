export type {
  ExpressPages as ExpressApiDocs,
  PageResponse as ApiDocsAnswer,
  Pages as ApiDocsPages,
  PagesOptions as ApiDocsOptions,
} from '@halyard/pages'
export { apiDocsPages } from './api-docs-pages.ts'
export { changeReport } from './contract/change-report.ts'
export { type Attribute, type Contract, contractOf, type OperationContract } from './contract/contract.ts'
export { type Difference, differences } from './contract/differences.ts'
export type { OperationExample, OperationExamples } from './document/examples.ts'
export { type DocumentInput, openApiDocument } from './document/make-document.ts'
export type { JsonSchema, OpenApiDocument } from './document/open-api-document.ts'
export {
  type OperationBody,
  type OperationInput,
  type OperationParameter,
  operationInput,
} from './document/operation-input.ts'
export { withoutExamples, writeDocument } from './document/write-document.ts'
export { createExpressApiDocs } from './express-api-docs.ts'
export { withApiDocs } from './fetch-api-docs.ts'
export { referencePages } from './reference/reference-pages.ts'
