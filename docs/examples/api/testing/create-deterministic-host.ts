import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createDeterministicHost } from '@halyard/testing'

const { clock, newId, randomHex, advance } = createDeterministicHost(Date.UTC(2026, 0, 1))
const engine = createEngine({ storage: createMemoryStorage(), clock, newId, randomHex })
await engine.migrate()
advance(60_000)
console.log(new Date(clock()).toISOString()) // 2026-01-01T00:01:00.000Z
