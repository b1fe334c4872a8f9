import type { ScoredFlag, ScorePeriod } from '../../rules/insight-score/index.ts'
import type { Reader } from '../../storage/reader.ts'
import { flags } from '../flags/flag.ts'
import { flagConfigs } from '../flags/flag-config.ts'
import type { ScoredPlace } from './scored-place.ts'

/** What scores ask of the flags of an environment. */
export interface FlagSources {
  readonly flags: readonly ScoredFlag[]
  /** Since when flags are launched, by their key. */
  readonly launchedSince: ReadonlyMap<string, number>
}

const everything = Number.MAX_SAFE_INTEGER

/** Since when temporary flags are launched in an environment, by their key; what others are is no question of health. */
export async function readLaunched(
  tx: Reader,
  place: ScoredPlace,
  scored: readonly ScoredFlag[],
): Promise<ReadonlyMap<string, number>> {
  const values = scored.filter(({ temporary }) => temporary).map(({ key }) => key)
  if (values.length === 0) return new Map()
  const { items } = await tx.listRows(flagConfigs, place, {
    where: [
      { op: 'anyOf', field: 'key', values },
      { op: 'exists', field: 'launchedSince', value: true },
    ],
    limit: values.length,
  })
  return new Map(items.map(({ key, fields }) => [key, fields.launchedSince as number]))
}

/** Reads the flags of a project that scores look at: temporary ones, and those that came or went in the time. */
export async function readFlags(
  tx: Reader,
  place: Pick<ScoredPlace, 'projectKey'>,
  { startTime }: ScorePeriod,
): Promise<ScoredFlag[]> {
  const archived = { op: 'exists', field: 'archivedDate', value: true } as const
  const { items } = await tx.listRows(flags, place, {
    where: [
      {
        op: 'or',
        any: [
          { op: 'not', condition: archived },
          { op: 'range', field: 'archivedDate', from: startTime },
        ],
      },
      {
        op: 'or',
        any: [
          archived,
          { op: 'equals', field: 'temporary', value: true },
          { op: 'range', field: 'createdAt', from: startTime },
        ],
      },
    ],
    limit: everything,
  })
  return items.map(({ key, fields: { temporary, createdAt, archivedDate } }) => ({
    key,
    temporary: temporary === true,
    createdAt: createdAt as number,
    ...(typeof archivedDate === 'number' ? { archivedAt: archivedDate } : {}),
  }))
}
