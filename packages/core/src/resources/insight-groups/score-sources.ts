import type { DeploymentEnds, ScoredFlag, ScorePeriod } from '../../rules/insight-score/index.ts'
import type { LeadTimeSamples } from '../../rules/lead-time/index.ts'
import type { Series } from '../../storage/collection.ts'
import type { Reader } from '../../storage/reader.ts'
import { deploymentEvents } from '../deployments/deployment.ts'
import { flags } from '../flags/flag.ts'
import { flagConfigs } from '../flags/flag-config.ts'
import { columnCount, leadTimeSamples } from '../lead-time/lead-time-sample.ts'

/** What scores are asked of: an environment, and of its applications all or those that are named. */
export interface ScoredPlace {
  readonly projectKey: string
  readonly environmentKey: string
  readonly applicationKeys?: readonly string[]
}

/** What is stored of an environment that scores stand on, of the time they tell of. */
export interface EnvironmentSources {
  readonly deployments: DeploymentEnds
  readonly leadTimes: LeadTimeSamples
}

const everything = Number.MAX_SAFE_INTEGER

/** Reads what an environment has, of all its applications. */
export async function readEnvironment(
  tx: Reader,
  place: ScoredPlace,
  { startTime, endTime }: ScorePeriod,
): Promise<EnvironmentSources> {
  // The end of a period belongs to it, its start does not; a scan is the other way round.
  const range = { from: startTime + 1, to: endTime + 1 }
  const [deployments, leadTimes] = await Promise.all([
    tx.scan(deploymentEvents, place, { ...range, columns: 1 }),
    tx.scan(leadTimeSamples, place, { ...range, columns: columnCount }),
  ])
  return { deployments, leadTimes }
}

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

/** Whether anything ever came from a source, for the applications of a place; what was read already may tell. */
export async function wasConnected(
  tx: Reader,
  source: Series<'proj/{projectKey}:env/{environmentKey}'>,
  place: ScoredPlace,
  { labels }: { readonly labels: readonly string[] },
): Promise<boolean> {
  const { applicationKeys } = place
  if (applicationKeys ? labels.some((label) => applicationKeys.includes(label)) : labels.length > 0) return true
  const newest = await tx.newest(source, place, { limit: 1, ...(applicationKeys ? { labels: applicationKeys } : {}) })
  return newest.length > 0
}
