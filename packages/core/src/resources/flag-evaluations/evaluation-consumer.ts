import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import {
  evaluationCountings,
  evaluationHours,
  evaluationsKeys,
  fallbackName,
  flagUses,
  hourMs,
} from '../../models/flag-evaluations/flag-evaluation.ts'
import type { SummarizedEvaluation } from '../../rules/sdk-protocol/sdk-events.ts'
import { summarizedEvaluations } from '../../rules/sdk-protocol/summarized-evaluations.ts'
import type { Change } from '../../storage/port.ts'
import type { EventConsumer } from '../sdk-events/event-consumer.ts'
import { writeChange } from '../sdk-events/write-change.ts'

/** Adds the evaluations of flags that reports contain to the counts of their environment. */
export const evaluationConsumer: EventConsumer<SummarizedEvaluation> = {
  take: ({ events, isKnownFlag }) => summarizedEvaluations(events).filter(({ flagKey }) => isKnownFlag(flagKey)),

  async changes(storage, environmentKeys, evaluations, host) {
    const sums = [...sumByFlag(evaluations)]
    const hours = sums.flatMap(([flagKey, { hours }]) =>
      [...hours].map(([from, counts]) => ({ keys: { ...environmentKeys, flagKey, from: String(from) }, from, counts })),
    )
    const documents = await storage.getMany([
      ...sums.map(([flagKey]) => flagUses.id({ ...environmentKeys, flagKey })),
      ...hours.map(({ keys }) => evaluationHours.id(keys)),
    ])
    return [
      ...sums.flatMap(([flagKey, { lastRequested }], i) => {
        const before = documents[i]?.body as { version: number; lastRequested: number } | undefined
        if (before && before.lastRequested >= lastRequested) return []
        return [writeChange(flagUses, { ...environmentKeys, flagKey }, before, { lastRequested })]
      }),
      ...hours.map(({ from, counts, keys }, i) => {
        const before = documents[sums.length + i]?.body as { version: number; counts: Counts } | undefined
        return writeChange(evaluationHours, keys, before, { from, counts: sumOf(before?.counts, counts) })
      }),
      countingStart(environmentKeys, host.now()),
    ]
  },
}

type Counts = Readonly<Record<string, number>>

interface FlagSum {
  lastRequested: number
  readonly hours: Map<number, Counts>
}

function sumByFlag(evaluations: readonly SummarizedEvaluation[]): Map<string, FlagSum> {
  const sums = new Map<string, FlagSum>()
  for (const { flagKey, variation, count, at } of evaluations) {
    const sum = sums.get(flagKey) ?? { lastRequested: 0, hours: new Map() }
    sums.set(flagKey, sum)
    sum.lastRequested = Math.max(sum.lastRequested, at)
    if (count === 0) continue
    const from = at - (at % hourMs)
    sum.hours.set(from, sumOf(sum.hours.get(from), { [variation ?? fallbackName]: count }))
  }
  return sums
}

function sumOf(a: Counts = {}, b: Counts): Counts {
  const sum = { ...a }
  for (const [name, count] of Object.entries(b)) {
    sum[name] = Math.min((sum[name] ?? 0) + count, Number.MAX_SAFE_INTEGER)
  }
  return sum
}

function countingStart(environmentKeys: EnvironmentKeys, since: number): Change {
  const body = { since, version: 1 }
  const id = evaluationCountings.id({ ...environmentKeys, ...evaluationsKeys })
  return { do: 'ensure', id, body, fields: evaluationCountings.fields(body) }
}
