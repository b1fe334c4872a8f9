import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { type Comparison, compare } from './compare.ts'
import { addHistory, day, history, now, place } from './lead-time-history.ts'
import { type QuestionName, questions, rollingEnd } from './lead-time-peers.ts'

const days = 30
const names = Object.keys(questions) as QuestionName[]

/** An engine with lead time samples, and a function that reads its charts. */
export interface World {
  readonly engine: Engine
  readonly chart: (name: QuestionName) => Promise<unknown>
  readonly perSecond: number
}

/**
 * Creates an engine with changes of the last days.
 *
 * @param spread number of days.
 */
export async function worldOn(storage: Storage, count: number, spread: number): Promise<World> {
  const engine = createEngine({ storage, rateLimit: false, clock: () => now })
  await engine.migrate()
  const token = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as: token })
  const perSecond = await addHistory(engine, { token }, history(count, spread))
  const whole = { ...place, from: now - days * day, to: now, bucketType: 'day', expand: 'percentiles' } as const
  const asked = {
    'by stage': whole,
    'by application': { ...whole, groupBy: 'application' },
    'rolling windows': { ...whole, bucketType: 'rolling', from: rollingEnd - 29 * day, to: rollingEnd },
  } as const
  return { engine, perSecond, chart: (name) => engine.api.getLeadTimeChart(asked[name], { as: token }) }
}

/** Compares each query with a peer. */
export async function compareEach(
  suite: string,
  title: string,
  { chart }: World,
  peer: { readonly name: string; readonly run: (name: QuestionName) => unknown },
  asked: readonly QuestionName[] = names,
): Promise<Comparison[]> {
  const results: Comparison[] = []
  for (const name of asked) {
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
