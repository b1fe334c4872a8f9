import type { Engine } from '@halyard/core'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import type { Comparison, Suite } from '../compare.ts'
import { compareEach, createLeadTimeFixture, rate } from '../lead-time-fixture.ts'
import { addOlderMonths } from '../lead-time-history.ts'

const million = 1_000_000
const days = 30
const suite = 'lead-time-history'

/** Measures charts of the same thirty days, with and without nine months before them. */
export const leadTimeHistory: Suite = {
  name: suite,
  about:
    'The charts of the previous suite, over 30 days of 1,000,000 samples, with 9,000,000 older samples stored as well: after `compact()` on Postgres.',
  async run() {
    const server = await startPostgres({ durable: true })
    const pool = new pg.Pool({ ...server.connection, max: 4 })
    try {
      const short = await createLeadTimeFixture(createPostgresStorage({ pool, schema: 'month' }), million, days)
      await short.engine.compact()
      const long = await createLeadTimeFixture(createPostgresStorage({ pool, schema: 'months' }), million, days)
      await addOlderMonths(pool, 'months', 9)
      const compacted = await measureCompaction(long.engine, 10 * million)
      const peer = { name: 'the same 30 days, without older samples', run: short.chart }
      return [...(await compareEach(suite, 'Postgres, 10,000,000 samples of 300 days', long, peer)), compacted]
    } finally {
      await pool.end()
      await server.stop()
    }
  },
}

/** Compacts all samples, and returns the rate and the maximum growth of memory. */
async function measureCompaction(engine: Engine, samples: number): Promise<Comparison> {
  globalThis.gc?.()
  const rssBefore = process.memoryUsage().rss
  let maxRss = rssBefore
  const startTime = performance.now()
  const { days: compactedDays } = await engine.compact({
    progress: () => {
      maxRss = Math.max(maxRss, process.memoryUsage().rss)
    },
  })
  const seconds = (performance.now() - startTime) / 1000
  const growthMiB = Math.round((maxRss - rssBefore) / 2 ** 20)
  const name = `samples compacted on Postgres (${compactedDays} days in ${seconds.toFixed(1)} s, at most ${growthMiB} MiB more)`
  return rate(suite, name, Math.round(samples / seconds), 'asked for: 100000', 100_000)
}
