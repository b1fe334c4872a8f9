import { createMemoryStorage } from '@halyard/storage-memory'

const storage = createMemoryStorage()

// #region engine
import { createEngine } from '@halyard/core'
import { openTelemetry } from '@halyard/opentelemetry'

const telemetry = openTelemetry()
const engine = createEngine({ storage: telemetry.storage(storage), intercept: telemetry.intercept })
// #endregion
console.log((await engine.readiness()).ready)
