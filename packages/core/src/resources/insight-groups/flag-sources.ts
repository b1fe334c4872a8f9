import type { ReadContext } from '../../operation/context.ts'
import type { FlagHistory } from '../../rules/insight-charts/index.ts'
import type { ScoredFlag, ScorePeriod } from '../../rules/insight-score/index.ts'
import type { Reader } from '../../storage/reader.ts'
import { flags } from '../flags/flag.ts'
import { readFlagHistories } from '../insight-charts/read-flag-histories.ts'
import type { ScoredPlace } from './scored-place.ts'

/** What scores ask of the flags of an environment. */
export interface FlagSources {
  /** Those of the project that came or went. */
  readonly flags: readonly ScoredFlag[]
  /** Temporary flags, with what is known of them in the environment. */
  readonly histories: readonly FlagHistory[]
}

const everything = Number.MAX_SAFE_INTEGER

/**
 * Reads how temporary flags were configured in an environment between two moments. All of them: what a group scores does
 * not depend on who looks.
 */
export async function readTemporaryFlags(
  { tx, now }: Pick<ReadContext, 'tx' | 'now'>,
  place: ScoredPlace,
  between: { readonly from: number; readonly to: number },
): Promise<readonly FlagHistory[]> {
  const everybody = { tx, now, allowed: async () => true }
  return (await readFlagHistories(everybody, place, between, [{ op: 'equals', field: 'temporary', value: true }])) ?? []
}

/** Reads the flags of a project that came or went in the time. */
export async function readFlags(
  tx: Reader,
  place: Pick<ScoredPlace, 'projectKey'>,
  { startTime }: ScorePeriod,
): Promise<ScoredFlag[]> {
  const { items } = await tx.listRows(flags, place, {
    where: [
      {
        op: 'or',
        any: [
          { op: 'range', field: 'createdAt', from: startTime },
          { op: 'range', field: 'archivedDate', from: startTime },
        ],
      },
    ],
    limit: everything,
  })
  return items.map(({ fields: { createdAt, archivedDate } }) => ({
    createdAt: createdAt as number,
    ...(typeof archivedDate === 'number' ? { archivedAt: archivedDate } : {}),
  }))
}
