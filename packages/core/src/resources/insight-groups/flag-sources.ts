import { flags } from '../../models/flags/flag.ts'
import type { ReadContext } from '../../operation/context.ts'
import type { FlagHistory } from '../../rules/insight-charts/index.ts'
import type { ScoredFlag, ScorePeriod } from '../../rules/insight-score/index.ts'
import type { Reader, Row } from '../../storage/reader.ts'
import { readHistoriesOf } from '../insight-charts/read-flag-histories.ts'
import type { ScoreScope } from './score-scope.ts'

/** Data of the flags of an environment from which scores are computed. */
export interface FlagSources {
  readonly flags: readonly ScoredFlag[]
  /** Histories of the temporary flags in the environment. */
  readonly histories: readonly FlagHistory[]
}

const noLimit = Number.MAX_SAFE_INTEGER

/**
 * Reads the flags of a project that are relevant for scores: temporary flags, and flags that were created or archived
 * in the period.
 */
export async function readFlags(
  tx: Reader,
  scope: Pick<ScoreScope, 'projectKey'>,
  { startTime }: ScorePeriod,
): Promise<readonly Row[]> {
  const archived = { op: 'exists', field: 'archivedDate', value: true } as const
  const { items } = await tx.listRows(flags, scope, {
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
    limit: noLimit,
  })
  return items
}

/**
 * Reads the data of these flags in an environment, with the configurations of the temporary ones since a time. It reads
 * all flags, because the scores of a group do not depend on the caller.
 *
 * @param from the time, integer ms.
 */
export async function readFlagSources(
  context: Pick<ReadContext, 'tx' | 'readClock'>,
  scope: ScoreScope,
  rows: readonly Row[],
  from: number,
): Promise<FlagSources> {
  const temporary = rows.filter(({ fields }) => fields.temporary === true)
  const histories = temporary.length === 0 ? [] : await readHistoriesOf(context, scope, temporary, from)
  return { flags: rows.map(scoredFlag), histories: histories ?? [] }
}

function scoredFlag({ fields: { createdAt, archivedDate } }: Row): ScoredFlag {
  return { createdAt: createdAt as number, ...(typeof archivedDate === 'number' ? { archivedAt: archivedDate } : {}) }
}
