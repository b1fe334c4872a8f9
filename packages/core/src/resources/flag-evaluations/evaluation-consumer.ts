import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import {
  contextKindsMs,
  evaluationCountingStarts,
  evaluationHours,
  evaluationsKeys,
  type FlagUse,
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
      ...sums.flatMap(([flagKey, sum], i) => {
        const before = documents[i]?.body as FlagUse | undefined
        const after = usedAgain(before, sum)
        return after ? [writeChange(flagUses, { ...environmentKeys, flagKey }, before, after)] : []
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
  /** Times of the latest evaluations by the kind of context. */
  readonly contextKinds: Map<string, number>
  readonly hours: Map<number, Counts>
}

function sumByFlag(evaluations: readonly SummarizedEvaluation[]): Map<string, FlagSum> {
  const sums = new Map<string, FlagSum>()
  for (const { flagKey, variation, count, at, contextKinds = [] } of evaluations) {
    const sum = sums.get(flagKey) ?? { lastRequested: 0, contextKinds: new Map(), hours: new Map() }
    sums.set(flagKey, sum)
    sum.lastRequested = Math.max(sum.lastRequested, at)
    for (const kind of contextKinds) sum.contextKinds.set(kind, Math.max(sum.contextKinds.get(kind) ?? 0, at))
    if (count === 0) continue
    const from = at - (at % hourMs)
    sum.hours.set(from, sumOf(sum.hours.get(from), { [variation ?? fallbackName]: count }))
  }
  return sums
}

/** Maximum number of kinds of contexts that are stored for a flag. */
const maxContextKinds = 100

/** Returns the use of a flag after further evaluations; undefined when no evaluation is later than the stored ones. */
function usedAgain(before: FlagUse | undefined, sum: FlagSum): Omit<FlagUse, 'version'> | undefined {
  const lastRequested = Math.max(before?.lastRequested ?? 0, sum.lastRequested)
  const stored = before?.contextKinds ?? {}
  const newer = [...sum.contextKinds].filter(([kind, at]) => at > (stored[kind] ?? 0))
  if (before && before.lastRequested === lastRequested && newer.length === 0) return undefined
  const times = [...new Map([...Object.entries(stored), ...newer])]
    .filter(([, at]) => at > lastRequested - contextKindsMs)
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxContextKinds)
  return { lastRequested, ...(times.length > 0 ? { contextKinds: Object.fromEntries(times) } : {}) }
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
  const id = evaluationCountingStarts.id({ ...environmentKeys, ...evaluationsKeys })
  return { do: 'ensure', id, body, fields: evaluationCountingStarts.fields(body) }
}
