import { createMemoryStorage } from '@halyard/storage-memory'

const storage = createMemoryStorage()

// #region engine
import { createEngine } from '@halyard/core'
import { openTelemetry } from '@halyard/opentelemetry'

const observed = openTelemetry()
const engine = createEngine({ storage: observed.storage(storage), intercept: observed.intercept })
// #endregion
console.log((await engine.readiness()).ready)
