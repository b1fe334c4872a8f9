import { deploymentEvents } from '../../models/deployments/deployment.ts'
import { leadTimeSamples } from '../../models/lead-time/lead-time-sample.ts'
import type { ReadContext } from '../../operation/context.ts'
import type { DeploymentOutcomes, ScorePeriod } from '../../rules/insight-score/index.ts'
import { type LeadTimeSamples, leadTimeColumns } from '../../rules/lead-time/index.ts'
import type { Series } from '../../storage/collection.ts'
import type { Reader } from '../../storage/reader.ts'
import { type FlagSources, readFlagSources, readFlags } from './flag-sources.ts'
import { distinctBy, type ScoreScope } from './score-scope.ts'

/** The data from which the scores of a scope are computed. */
export interface ScoreSources {
  /** Sources of all applications of the environment. */
  readonly environment: EnvironmentSources
  /** The same object for all scopes of an environment. */
  readonly flags: FlagSources
  readonly connected: { readonly deployments: boolean; readonly leadTimes: boolean }
}

interface EnvironmentSources {
  readonly deployments: DeploymentOutcomes
  readonly leadTimes: LeadTimeSamples
}

/**
 * Reads the data of scopes, in their order. Each environment and each project is read once, with the queries in as few
 * batches as possible.
 *
 * @param scopes the scopes, without duplicates.
 */
export async function readSources(
  context: Pick<ReadContext, 'tx' | 'readClock'>,
  scopes: readonly ScoreScope[],
  span: ScorePeriod,
): Promise<ScoreSources[]> {
  const { tx } = context
  const environments = distinctBy(scopes, ({ projectKey, environmentKey }) => [projectKey, environmentKey])
  const projects = distinctBy(scopes, ({ projectKey }) => [projectKey])
  const [sources, flagRowsByProject] = await Promise.all([
    Promise.all(environments.items.map((scope) => readEnvironment(tx, scope, span))),
    Promise.all(projects.items.map((scope) => readFlags(tx, scope, span))),
  ])
  const sourcesOf = environments.at.map((index) => sources[index]!)
  const projectOf = new Map(projects.items.map(({ projectKey }, index) => [projectKey, index]))
  const flagRowsByEnvironment = environments.items.map(
    ({ projectKey }) => flagRowsByProject[projectOf.get(projectKey)!]!,
  )
  const [flags, connected] = await Promise.all([
    Promise.all(
      environments.items.map((scope, index) =>
        readFlagSources(context, scope, { rows: flagRowsByEnvironment[index]!, period: span }),
      ),
    ),
    Promise.all(scopes.map((scope, index) => connectedSources(tx, scope, sourcesOf[index]!))),
  ])
  return scopes.map((_, index) => ({
    environment: sourcesOf[index]!,
    flags: flags[environments.at[index]!]!,
    connected: connected[index]!,
  }))
}

/** Reads the data of an environment, of all its applications. */
async function readEnvironment(
  tx: Reader,
  scope: ScoreScope,
  { startTime, endTime }: ScorePeriod,
): Promise<EnvironmentSources> {
  // A period excludes its start and includes its end. A scan includes its start and excludes its end, so both bounds
  // are increased by 1.
  const range = { from: startTime + 1, to: endTime + 1 }
  const [deployments, leadTimes] = await Promise.all([
    tx.scan(deploymentEvents, scope, { ...range, columns: 1 }),
    tx.scan(leadTimeSamples, scope, { ...range, columns: totalColumns }),
  ])
  return { deployments, leadTimes }
}

/** A total lead time starts with the first commit and ends at the time of the sample. */
const totalColumns = leadTimeColumns.startedAt + 1

async function connectedSources(
  tx: Reader,
  scope: ScoreScope,
  sources: EnvironmentSources,
): Promise<ScoreSources['connected']> {
  const [deployments, leadTimes] = await Promise.all([
    wasConnected(tx, deploymentEvents, scope, sources.deployments),
    wasConnected(tx, leadTimeSamples, scope, sources.leadTimes),
  ])
  return { deployments, leadTimes }
}

/**
 * Returns true if a source has ever had data of the applications of a scope. It reads nothing when the labels that were
 * read before are sufficient.
 */
async function wasConnected(
  tx: Reader,
  source: Series<'proj/{projectKey}:env/{environmentKey}'>,
  scope: ScoreScope,
  { labels }: { readonly labels: readonly string[] },
): Promise<boolean> {
  const { applicationKeys } = scope
  if (applicationKeys ? labels.some((label) => applicationKeys.includes(label)) : labels.length > 0) return true
  const newest = await tx.newest(source, scope, { limit: 1, ...(applicationKeys ? { labels: applicationKeys } : {}) })
  return newest.length > 0
}
