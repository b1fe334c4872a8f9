import { createEngine } from '@halyard/core'
import { openTelemetry } from '@halyard/opentelemetry'
import { createMemoryStorage } from '@halyard/storage-memory'

const { storage, around } = openTelemetry()
const engine = createEngine({ storage: storage(createMemoryStorage()), around })
console.log((await engine.readiness()).ready) // true
