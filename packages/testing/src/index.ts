export type { ConformanceCase } from './storage/conformance-case.ts'
export { type StorageHarness, storageConformance } from './storage/storage-conformance.ts'
