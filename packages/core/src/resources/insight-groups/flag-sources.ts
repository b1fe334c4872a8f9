import { type Experiment, experiments } from '../../models/experiments/experiment.ts'
import { flags } from '../../models/flags/flag.ts'
import { flagChanges, releaseColumns } from '../../models/flags/flag-changes.ts'
import type { ReadContext } from '../../operation/context.ts'
import type { FlagHistory } from '../../rules/insight-charts/index.ts'
import {
  type FlagReleases,
  insightScoreTable,
  type ScoredFlag,
  type ScoredIteration,
  type ScorePeriod,
} from '../../rules/insight-score/index.ts'
import type { Reader, Row } from '../../storage/reader.ts'
import { readHistoriesOf } from '../insight-charts/read-flag-histories.ts'
import type { ScoreScope } from './score-scope.ts'

/** Data of the flags of an environment from which scores are computed. */
export interface FlagSources {
  readonly flags: readonly ScoredFlag[]
  /** Histories of the temporary flags in the environment. */
  readonly histories: readonly FlagHistory[]
  readonly releases: FlagReleases
  /** The started iterations of experiments on flags of the environment. */
  readonly iterations: readonly ScoredIteration[]
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

/** The rows of flags, and the period for which they are scored. */
export interface ScoredRows {
  readonly rows: readonly Row[]
  readonly period: ScorePeriod
}

/**
 * Reads the data of flags in an environment, the configurations of those that are temporary, and the experiments. It
 * includes flags that the caller may not view, because the scores of a group do not depend on the caller.
 *
 * @param span both periods. Changes of configurations are read from the end of the first period on.
 */
export async function readFlagSources(
  context: Pick<ReadContext, 'tx' | 'readClock'>,
  scope: ScoreScope,
  { rows, period: { startTime, endTime } }: ScoredRows,
): Promise<FlagSources> {
  const { tx } = context
  const temporary = rows.filter(({ fields }) => fields.temporary === true)
  const [histories = [], releases, rowsOfExperiments] = await Promise.all([
    temporary.length === 0 ? [] : readHistoriesOf(context, scope, temporary, endTime - insightScoreTable.periodMs),
    tx.scan(flagChanges, scope, { from: startTime + 1, to: endTime + 1, columns: releaseColumns }),
    tx.listRows(experiments, scope, { limit: noLimit }),
  ])
  const { projectKey, environmentKey } = scope
  const keys = rowsOfExperiments.items.map(({ key }) => ({ projectKey, environmentKey, experimentKey: key }))
  const documents = keys.length === 0 ? [] : await tx.getMany(experiments, keys)
  const iterations = documents.flatMap((experiment) => (experiment ? scoredIterations(experiment) : []))
  return { flags: rows.map(scoredFlag), histories, releases, iterations }
}

function scoredIterations({ iterations }: Experiment): ScoredIteration[] {
  return iterations.flatMap(({ subject, startedAt, endedAt, serving }) =>
    startedAt === undefined || subject.kind !== 'flag'
      ? []
      : [{ flagKey: subject.key, startedAt, endedAt, movedShare: serving?.movedShare }],
  )
}

function scoredFlag({ fields: { createdAt, archivedDate } }: Row): ScoredFlag {
  return { createdAt: createdAt as number, ...(typeof archivedDate === 'number' ? { archivedAt: archivedDate } : {}) }
}
