import type { Engine } from '@halyard/core'
import type { Pool } from 'pg'

const hour = 3_600_000
export const day = 24 * hour
/** Current time of the benchmark. It is midnight, so that the thirty days before it are complete days. */
export const now = Date.UTC(2028, 0, 31)
/** Length of a month, days. */
const days = 30
export const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
const applications = ['api', 'billing', 'search', 'shop', 'worker']

export interface Change {
  readonly externalId: string
  readonly applicationKey: string
  readonly startedAt: number
  readonly openedAt: number
  readonly mergedAt: number
  readonly deployStartedAt: number
  readonly deployedAt: number
}

/**
 * Yields changes spread evenly over the days before `now`, with lead times from minutes to weeks; the same in every
 * run.
 */
export function* history(count: number, days: number): Generator<Change> {
  let state = 7
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  // Many short durations and few long ones, as is typical of lead times.
  const duration = (typical: number) => Math.round(typical * -Math.log(1 - random()))
  for (let i = 0; i < count; i++) {
    const deployedAt = now - Math.floor(((i + random()) / count) * days * day) - 1
    const deployStartedAt = deployedAt - duration(hour / 6)
    const mergedAt = deployStartedAt - duration(8 * hour)
    const openedAt = mergedAt - duration(20 * hour)
    yield {
      externalId: `change-${i}`,
      applicationKey: applications[Math.floor(random() * applications.length)] as string,
      startedAt: openedAt - duration(30 * hour),
      openedAt,
      mergedAt,
      deployStartedAt,
      deployedAt,
    }
  }
}

/** Adds changes through the API, ten thousand in a call; returns the number of changes per second. */
export async function addHistory(engine: Engine, as: { token: string }, changes: Iterable<Change>): Promise<number> {
  let totalMs = 0
  let count = 0
  const add = async (samples: Change[]) => {
    const startTime = performance.now()
    await engine.api.createLeadTimeSamples({ body: { ...environmentKeys, samples } }, { as: as.token })
    totalMs += performance.now() - startTime
    count += samples.length
  }
  let batch: Change[] = []
  for (const change of changes) {
    batch.push(change)
    if (batch.length === 10_000) {
      await add(batch)
      batch = []
    }
  }
  if (batch.length > 0) await add(batch)
  return Math.round((count / totalMs) * 1000)
}

/**
 * Copies a month of samples, and the documents that mark their days as not yet summarized, to the months before it:
 * adding millions of samples through the API would take many minutes.
 */
export async function addOlderMonths(pool: Pool, schema: string, months: number): Promise<void> {
  // The rows are written month by month, in the order in which they would have arrived, so that rows of a day are
  // stored together.
  for (let month = months; month >= 1; month--) {
    const offsetMs = month * days * day
    await pool.query(`insert into ${schema}.samples (account, scope, name, id, at, label, width, v0, v1, v2, v3, body)
      select account, scope, name, id || ' ${month}', at - ${offsetMs}, label, width,
        v0 - ${offsetMs}, v1 - ${offsetMs}, v2 - ${offsetMs}, v3 - ${offsetMs}, body
      from ${schema}.samples where name = 'lead-time' and at >= ${now - days * day} order by at`)
    const shiftDay = (json: string) =>
      `${json} || jsonb_build_object('day', (${json} ->> 'day')::int - ${month * days})`
    await pool.query(`insert into ${schema}.documents (account, collection, scope, key, version, body, fields)
      select account, collection, scope,
        ((fields ->> 'day')::int - ${month * days}) || substring(key from position(' ' in key)), version,
        (${shiftDay('body::jsonb')})::text, ${shiftDay('fields')}
      from ${schema}.documents
      where collection = 'lead-time-open-day' and (fields ->> 'day')::int * ${day}::bigint >= ${now - days * day}`)
  }
  await pool.query('analyze')
}
