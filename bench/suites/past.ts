import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import { type Comparison, compare, type Suite } from '../compare.ts'
import { type Latency, measureLatency } from '../latency.ts'

const suite = 'past'
const as = { role: 'owner' } as const
const [flagCount, changeCount] = [1_000, 99_000]
const start = Date.UTC(2026, 0, 1)
const year = 365 * 24 * 3_600_000
const token = 'api-bench-administrator'

/** Measures reads of the past in an account with 100,000 entries of the change log. */
export const past: Suite = {
  name: suite,
  about:
    'getFlag in process at a time that no call has requested before, in an account of 1,000 flags with 100,000 entries of the change log; the peer is the same call now. Without caches. `first getFlag` is the first call of a process, which reads the whole change log. Target: less than 20 ms, except for the first call.',
  async run() {
    const memory = await filledEngine()
    const server = await startPostgres({ durable: false })
    const pool = new pg.Pool({ ...server.connection, max: 4 })
    pool.on('error', () => {})
    try {
      const postgres = engineOn(createPostgresStorage({ pool }), start + year)
      await postgres.migrate()
      await postgres.import(memory.export(), { token })
      return [...(await measure('memory', memory)), ...(await measure('Postgres', postgres))]
    } finally {
      await pool.end()
      await server.stop()
    }
  },
}

/** Makes an engine whose clock begins at `from` (integer ms) and advances by 1 ms with each reading. */
function engineOn(storage: Storage, from = start): Engine {
  let now = from
  return createEngine({ storage, clock: () => ++now, rateLimit: false, cache: false })
}

async function filledEngine(): Promise<Engine> {
  const engine = engineOn(createMemoryStorage())
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  for (let i = 0; i < flagCount; i++)
    await api.createFlag({ projectKey: 'web', body: { key: `f${i}`, name: `Flag ${i}` } }, { as })
  for (let i = 0; i < changeCount; i++) {
    const body = [{ op: 'replace' as const, path: '/description', value: `Change ${i}` }]
    await api.patchFlag({ projectKey: 'web', flagKey: `f${i % flagCount}`, body }, { as })
  }
  return engine
}

async function measure(name: string, engine: Engine): Promise<(Comparison | Latency)[]> {
  const { items } = await engine.api.listChangeLog({ limit: 1 }, { as })
  const { creationDate } = await engine.api.getFlag({ projectKey: 'web', flagKey: `f${flagCount - 1}` }, { as })
  const [oldest, newest] = [Number(creationDate), Number(items[0]?.date)]
  let call = 0
  const next = () => ({ projectKey: 'web', flagKey: `f${call++ % flagCount}` })
  // A prime number of times, so that a flag is requested at another time in each round.
  const time = () => oldest + Math.floor(((newest - oldest) * (call % 997)) / 997)
  return [
    await measureLatency({
      suite,
      case: 'first getFlag in the past',
      storage: name,
      async prepare() {
        engine.clearCaches()
        return ''
      },
      run: async () => engine.at(oldest).api.getFlag({ projectKey: 'web', flagKey: 'f0' }, { as }),
    }),
    await compare({
      suite,
      case: `getFlag in the past on ${name}`,
      ours: async () => engine.at(time()).api.getFlag(next(), { as }),
      peer: { name: 'getFlag now', run: async () => engine.api.getFlag(next(), { as }) },
    }),
  ]
}
