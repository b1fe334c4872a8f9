import {
  counted,
  evaluationCountings,
  evaluationHours,
  evaluationReports,
  fallbackServed,
  flagUses,
  hourMs,
} from '../../models/flag-evaluations/flag-evaluation.ts'
import type { SummarisedEvaluation } from '../../rules/sdk-protocol/summarised-evaluations.ts'
import { type Documents, type Versioned, withVersion } from '../../storage/collection.ts'
import type { AccountStorage, Change } from '../../storage/port.ts'
import type { EnvironmentKeys } from '../evaluation/environment-content.ts'

/** The evaluations of one request of an SDK. */
export interface Report {
  /** Id that the SDK sent. Undefined when it sent none: then a repetition cannot be recognized. */
  readonly id: string | undefined
  /**
   * True when the sender authenticated with a secret. Ids of other senders are not stored, because anyone can invent
   * them.
   */
  readonly trusted: boolean
  /** Time of arrival: integer ms, UTC. */
  readonly at: number
  readonly evaluations: readonly SummarisedEvaluation[]
}

/** Tells whether the id of a counted report is stored. */
export function isNoted({ id, trusted }: Report): boolean {
  return id !== undefined && trusted
}

/** Makes a batch that adds reports of one environment to its counts. The ids of reports come first, in order. */
export async function evaluationBatch(
  storage: Pick<AccountStorage, 'getMany'>,
  place: EnvironmentKeys,
  reports: readonly Report[],
  now: number,
): Promise<Change[]> {
  const sums = [...summedByFlag(reports)]
  const hours = sums.flatMap(([flagKey, { hours }]) =>
    [...hours].map(([from, counts]) => ({ keys: { ...place, flagKey, from: String(from) }, from, counts })),
  )
  const found = await storage.getMany([
    ...sums.map(([flagKey]) => flagUses.id({ ...place, flagKey })),
    ...hours.map(({ keys }) => evaluationHours.id(keys)),
  ])
  const noted = reports.filter(isNoted).map(({ id, at }) => ({ reportId: id as string, at }))
  return [
    ...noted.map(({ reportId, at }) => written(evaluationReports, { ...place, reportId }, undefined, { at })),
    ...sums.flatMap(([flagKey, { lastRequested }], i) => {
      const before = found[i]?.body as { version: number; lastRequested: number } | undefined
      if (before && before.lastRequested >= lastRequested) return []
      return [written(flagUses, { ...place, flagKey }, before, { lastRequested })]
    }),
    ...hours.map(({ from, counts, keys }, i) => {
      const before = found[sums.length + i]?.body as { version: number; counts: Counts } | undefined
      return written(evaluationHours, keys, before, { from, counts: added(before?.counts, counts) })
    }),
    beganOnce(place, now),
  ]
}

type Counts = Readonly<Record<string, number>>

interface FlagSum {
  lastRequested: number
  readonly hours: Map<number, Counts>
}

function summedByFlag(reports: readonly Report[]): Map<string, FlagSum> {
  const sums = new Map<string, FlagSum>()
  for (const { flagKey, variation, count, at } of reports.flatMap(({ evaluations }) => evaluations)) {
    const sum = sums.get(flagKey) ?? { lastRequested: 0, hours: new Map() }
    sums.set(flagKey, sum)
    sum.lastRequested = Math.max(sum.lastRequested, at)
    if (count === 0) continue
    const from = at - (at % hourMs)
    sum.hours.set(from, added(sum.hours.get(from), { [variation ?? fallbackServed]: count }))
  }
  return sums
}

function added(a: Counts = {}, b: Counts): Counts {
  const sum = { ...a }
  for (const [name, count] of Object.entries(b)) {
    sum[name] = Math.min((sum[name] ?? 0) + count, Number.MAX_SAFE_INTEGER)
  }
  return sum
}

function written<T extends Versioned, A extends string>(
  collection: Documents<T, A>,
  keys: Parameters<Documents<T, A>['id']>[0],
  before: { readonly version: number } | undefined,
  content: Omit<T, 'version'>,
): Change {
  const body = withVersion(content, (before?.version ?? 0) + 1)
  const document = { id: collection.id(keys), body, fields: collection.fields(body) }
  return before ? { do: 'replace', version: before.version, ...document } : { do: 'insert', ...document }
}

function beganOnce(place: EnvironmentKeys, since: number): Change {
  const body = { since, version: 1 }
  const id = evaluationCountings.id({ ...place, ...counted })
  return { do: 'ensure', id, body, fields: evaluationCountings.fields(body) }
}
