export { openApiDocument, type DocumentInput } from './document/make-document.ts'
