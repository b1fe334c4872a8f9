export {
  type OperationConformance,
  type OperationHarness,
  operationConformance,
} from './operations/operation-conformance.ts'
export { type RecordedExample, recordExamples } from './operations/recorded-examples.ts'
export type { ConformanceCase } from './storage/conformance-case.ts'
export { type StorageHarness, storageConformance } from './storage/storage-conformance.ts'
export { apiHarness } from './transport/api-harness.ts'
export { fetchHarness } from './transport/fetch-harness.ts'
export { inProcessHarness } from './transport/in-process-harness.ts'
export { adminToken, seededEngine } from './transport/seeded-engine.ts'
export { transportConformance } from './transport/transport-conformance.ts'
export type {
  TransportClient,
  TransportHarness,
  TransportRequest,
  TransportResponse,
} from './transport/transport-harness.ts'
export { bodyChunks } from './transport/transport-harness.ts'
