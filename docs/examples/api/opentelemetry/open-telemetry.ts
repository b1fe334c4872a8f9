import { createEngine } from '@halyard/core'
import { openTelemetry } from '@halyard/opentelemetry'
import { createMemoryStorage } from '@halyard/storage-memory'

const { storage, intercept } = openTelemetry()
const engine = createEngine({ storage: storage(createMemoryStorage()), intercept })
console.log((await engine.readiness()).ready) // true
