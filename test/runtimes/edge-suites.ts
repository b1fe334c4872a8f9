import { fetchHarness, operationConformance, storageConformance, transportConformance } from '@halyard/conformance'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'
import type { SuiteFactory } from './conformance-report.ts'

const overFetch = fetchHarness('fetch', (engine) => createFetchHandler(engine))
const openStorage = async () => createMemoryStorage()

/**
 * Suites that must pass on every runtime with Web Crypto, `URL` and streams: core, memory storage, the fetch handler.
 */
export const edgeSuites = {
  storage: () => ({ cases: storageConformance({ open: openStorage }), close: async () => {} }),
  transport: () => ({ cases: transportConformance(overFetch), close: async () => {} }),
  operations: () => operationConformance({ openStorage, transport: overFetch }),
} satisfies Record<string, SuiteFactory>
