export {
  type OperationConformance,
  type OperationHarness,
  operationConformance,
} from './operations/operation-conformance.ts'
export { type RecordedExample, recordExamples } from './operations/recorded-examples.ts'
export type { ConformanceCase } from './storage/conformance-case.ts'
export { type StorageHarness, storageConformance } from './storage/storage-conformance.ts'
export { apiHarness } from './transport/api-line.ts'
export { fetchHarness } from './transport/fetch-line.ts'
export { inProcess } from './transport/in-process-line.ts'
export { adminToken, seededEngine } from './transport/seeded-engine.ts'
export { transportConformance } from './transport/transport-conformance.ts'
export type { LineAnswer, LineRequest, TransportHarness, TransportLine } from './transport/transport-harness.ts'
export { piecesOf } from './transport/transport-harness.ts'
