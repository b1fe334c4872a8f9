import type { ReadContext } from '../../operation/context.ts'
import {
  creationRatioInput,
  deploymentInputs,
  flagHealthInput,
  type InsightScores,
  insightScores,
  leadTimeInput,
  type ScoredFlag,
  type ScoreInputs,
  type ScorePeriod,
  scorePeriods,
} from '../../rules/insight-score/index.ts'
import type { Reader } from '../../storage/reader.ts'
import { deploymentEvents } from '../deployments/deployment.ts'
import { leadTimeSamples } from '../lead-time/lead-time-sample.ts'
import {
  type EnvironmentSources,
  readEnvironment,
  readFlags,
  readLaunched,
  type ScoredPlace,
  wasConnected,
} from './score-sources.ts'

/**
 * Computes the scores of some places, in their order (D26). What several of them stand on is read once: the samples of
 * an environment, the flags of a project.
 */
export async function readScores(
  { tx, now }: Pick<ReadContext, 'tx' | 'now'>,
  places: readonly ScoredPlace[],
): Promise<InsightScores[]> {
  const { period, lastPeriod } = scorePeriods(now)
  const span = { startTime: lastPeriod.startTime, endTime: period.endTime }
  const inEnvironment = ({ projectKey, environmentKey }: ScoredPlace) => JSON.stringify([projectKey, environmentKey])
  const environmentOf = onceFor(inEnvironment, (place) => readEnvironment(tx, place, span))
  const flagsOf = onceFor(
    ({ projectKey }: ScoredPlace) => projectKey,
    (place) => readFlags(tx, place, span),
  )
  const launchedOf = onceFor(inEnvironment, async (place) => readLaunched(tx, place, await flagsOf(place)))
  const connectedOf = onceFor(
    ({ projectKey, environmentKey, applicationKeys }: ScoredPlace) =>
      JSON.stringify([projectKey, environmentKey, applicationKeys?.toSorted()]),
    async (place) => connectedSources(tx, place, await environmentOf(place)),
  )
  return Promise.all(
    places.map(async (place) => {
      const [environment, flags, launchedSince, connected] = await Promise.all([
        environmentOf(place),
        flagsOf(place),
        launchedOf(place),
        connectedOf(place),
      ])
      const sources = { ...environment, flags, launchedSince, connected }
      return insightScores(inputsOf(place, sources, period), inputsOf(place, sources, lastPeriod))
    }),
  )
}

/** Asks once for all that have the same name. */
function onceFor<Question, Answer>(nameOf: (question: Question) => string, ask: (question: Question) => Answer) {
  const answers = new Map<string, Answer>()
  return (question: Question): Answer => {
    const name = nameOf(question)
    const known = answers.get(name)
    if (known !== undefined) return known
    const answer = ask(question)
    answers.set(name, answer)
    return answer
  }
}

interface ConnectedSources {
  readonly deployments: boolean
  readonly leadTimes: boolean
}

async function connectedSources(
  tx: Reader,
  place: ScoredPlace,
  sources: EnvironmentSources,
): Promise<ConnectedSources> {
  const [deployments, leadTimes] = await Promise.all([
    wasConnected(tx, deploymentEvents, place, sources.deployments),
    wasConnected(tx, leadTimeSamples, place, sources.leadTimes),
  ])
  return { deployments, leadTimes }
}

interface Sources extends EnvironmentSources {
  readonly flags: readonly ScoredFlag[]
  /** Since when flags are launched, by their key. */
  readonly launchedSince: ReadonlyMap<string, number>
  readonly connected: ConnectedSources
}

/** Nothing tells yet how many contexts a change of a flag moved, or which changes were under an experiment. */
const withoutSource = { impactSize: 'unknown', experimentationCoverage: 'unknown' } as const

const neverDeployed = { deploymentFrequency: 'unknown', deploymentFailureRate: 'unknown' } as const

function inputsOf(
  { applicationKeys }: ScoredPlace,
  { deployments, leadTimes, launchedSince, flags, connected }: Sources,
  period: ScorePeriod,
): ScoreInputs {
  return {
    ...withoutSource,
    ...(connected.deployments ? deploymentInputs(deployments, period, applicationKeys) : neverDeployed),
    leadTime: connected.leadTimes ? leadTimeInput(leadTimes, period, applicationKeys) : 'unknown',
    flagHealth: flagHealthInput(flags, launchedSince, period),
    creationRatio: creationRatioInput(flags, period),
  }
}
