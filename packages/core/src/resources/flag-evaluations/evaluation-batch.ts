import {
  evaluationCountings,
  evaluationHours,
  evaluationReports,
  evaluationsKeys,
  fallbackName,
  flagUses,
  hourMs,
} from '../../models/flag-evaluations/flag-evaluation.ts'
import type { SummarizedEvaluation } from '../../rules/sdk-protocol/summarized-evaluations.ts'
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
  readonly evaluations: readonly SummarizedEvaluation[]
}

/** Returns true if the id of a counted report is stored. */
export function isRecorded({ id, trusted }: Report): boolean {
  return id !== undefined && trusted
}

/** Makes a batch that adds reports of one environment to its counts. The ids of reports come first, in order. */
export async function evaluationBatch(
  storage: Pick<AccountStorage, 'getMany'>,
  environmentKeys: EnvironmentKeys,
  reports: readonly Report[],
  now: number,
): Promise<Change[]> {
  const sums = [...sumByFlag(reports)]
  const hours = sums.flatMap(([flagKey, { hours }]) =>
    [...hours].map(([from, counts]) => ({ keys: { ...environmentKeys, flagKey, from: String(from) }, from, counts })),
  )
  const documents = await storage.getMany([
    ...sums.map(([flagKey]) => flagUses.id({ ...environmentKeys, flagKey })),
    ...hours.map(({ keys }) => evaluationHours.id(keys)),
  ])
  const recorded = reports.filter(isRecorded).map(({ id, at }) => ({ reportId: id as string, at }))
  return [
    ...recorded.map(({ reportId, at }) =>
      writeChange(evaluationReports, { ...environmentKeys, reportId }, undefined, { at }),
    ),
    ...sums.flatMap(([flagKey, { lastRequested }], i) => {
      const before = documents[i]?.body as { version: number; lastRequested: number } | undefined
      if (before && before.lastRequested >= lastRequested) return []
      return [writeChange(flagUses, { ...environmentKeys, flagKey }, before, { lastRequested })]
    }),
    ...hours.map(({ from, counts, keys }, i) => {
      const before = documents[sums.length + i]?.body as { version: number; counts: Counts } | undefined
      return writeChange(evaluationHours, keys, before, { from, counts: sumOf(before?.counts, counts) })
    }),
    countingStart(environmentKeys, now),
  ]
}

type Counts = Readonly<Record<string, number>>

interface FlagSum {
  lastRequested: number
  readonly hours: Map<number, Counts>
}

function sumByFlag(reports: readonly Report[]): Map<string, FlagSum> {
  const sums = new Map<string, FlagSum>()
  for (const { flagKey, variation, count, at } of reports.flatMap(({ evaluations }) => evaluations)) {
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

function writeChange<T extends Versioned, A extends string>(
  collection: Documents<T, A>,
  keys: Parameters<Documents<T, A>['id']>[0],
  before: { readonly version: number } | undefined,
  content: Omit<T, 'version'>,
): Change {
  const body = withVersion(content, (before?.version ?? 0) + 1)
  const document = { id: collection.id(keys), body, fields: collection.fields(body) }
  return before ? { do: 'replace', version: before.version, ...document } : { do: 'insert', ...document }
}

function countingStart(environmentKeys: EnvironmentKeys, since: number): Change {
  const body = { since, version: 1 }
  const id = evaluationCountings.id({ ...environmentKeys, ...evaluationsKeys })
  return { do: 'ensure', id, body, fields: evaluationCountings.fields(body) }
}
