import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { type Comparison, compare } from './compare.ts'
import { addHistory, day, environmentKeys, history, now } from './lead-time-history.ts'
import { type QueryName, queries, rollingEnd } from './lead-time-peers.ts'

const days = 30
const names = Object.keys(queries) as QueryName[]

/** An engine with lead time samples, and a function that reads its charts. */
export interface LeadTimeFixture {
  readonly engine: Engine
  readonly chart: (name: QueryName) => Promise<unknown>
  readonly perSecond: number
}

/**
 * Creates an engine with changes of the last days.
 *
 * @param spread number of days.
 */
export async function createLeadTimeFixture(storage: Storage, count: number, spread: number): Promise<LeadTimeFixture> {
  const engine = createEngine({ storage, rateLimit: false, clock: () => now })
  await engine.migrate()
  const token = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as: token })
  const perSecond = await addHistory(engine, { token }, history(count, spread))
  const baseQuery = {
    ...environmentKeys,
    from: now - days * day,
    to: now,
    bucketType: 'day',
    expand: 'percentiles',
  } as const
  const inputs = {
    'by stage': baseQuery,
    'by application': { ...baseQuery, groupBy: 'application' },
    'rolling windows': { ...baseQuery, bucketType: 'rolling', from: rollingEnd - 29 * day, to: rollingEnd },
  } as const
  return { engine, perSecond, chart: (name) => engine.api.getLeadTimeChart(inputs[name], { as: token }) }
}

/** Compares each query with a peer. */
export async function compareEach(
  suite: string,
  title: string,
  { chart }: LeadTimeFixture,
  peer: { readonly name: string; readonly run: (name: QueryName) => unknown },
  queryNames: readonly QueryName[] = names,
): Promise<Comparison[]> {
  const results: Comparison[] = []
  for (const name of queryNames) {
    const ours = () => chart(name)
    const run = () => peer.run(name)
    results.push(await compare({ suite, case: `${title}, ${name}`, ours, peer: { name: peer.name, run }, slow: true }))
  }
  return results
}

/** Returns two rates as a comparison. */
export function rate(suite: string, name: string, perSecond: number, peer: string, peerPerSecond: number): Comparison {
  const ratio = Math.round((perSecond / peerPerSecond) * 1000) / 1000
  return { suite, case: name, peer, opsPerSecond: perSecond, peerOpsPerSecond: peerPerSecond, ratio }
}
