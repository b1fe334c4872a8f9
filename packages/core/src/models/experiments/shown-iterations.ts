import type { ShownFormat } from '../../storage/collection.ts'
import type { ExperimentMetric, Iteration } from './iteration.ts'

/** Returns an iteration as responses show it, except for links. */
export function shownIteration<Time>(iteration: Iteration, { time }: { time(ms: number): Time }) {
  const { id, subject, metrics, treatments, startedAt, endedAt, createdAt, serving: _, ...rest } = iteration
  const { ruleId, flagConfigVersion, notInExperimentVariationId, ...properties } = rest
  const [primary, ...secondaryMetrics] = metrics.map(({ key, isGroup }): ExperimentMetric => ({ key, isGroup }))
  return {
    ...properties,
    _id: id,
    createdAt: time(createdAt),
    ...(startedAt === undefined ? {} : { startedAt: time(startedAt) }),
    ...(endedAt === undefined ? {} : { endedAt: time(endedAt) }),
    flags: { [subject.key]: { targetingRule: ruleId, flagConfigVersion, notInExperimentVariationId } },
    ...(primary && !primary.isGroup ? { primarySingleMetric: primary } : {}),
    ...(primary?.isGroup ? { primaryFunnel: primary } : {}),
    ...(primary ? { primaryMetric: primary } : {}),
    secondaryMetrics,
    metrics: metrics.map(({ key, isGroup }): ExperimentMetric => ({ key, isGroup })),
    treatments: treatments.map(({ id: _id, name, baseline, allocationPercent, variationId }) => ({
      _id,
      name,
      allocationPercent: String(allocationPercent),
      baseline,
      parameters: [{ flagKey: subject.key, variationId }],
    })),
  }
}

/**
 * Divides the iterations of an experiment as responses do: the newest started one, the earlier ones, and the next one.
 */
export function iterationsByState(iterations: readonly Iteration[]) {
  const started = iterations.filter(({ status }) => status !== 'not_started')
  return {
    current: started.at(-1),
    previous: started.slice(0, -1).toReversed(),
    draft: iterations.find(({ status }) => status === 'not_started'),
  }
}

/** Returns the iterations of an experiment as responses show them with all expansions. */
export function shownIterations(iterations: readonly Iteration[], format: ShownFormat) {
  const { current, previous, draft } = iterationsByState(iterations)
  return {
    ...(current ? { currentIteration: shownIteration(current, format) } : {}),
    ...(draft ? { draftIteration: shownIteration(draft, format) } : {}),
    previousIterations: previous.map((iteration) => shownIteration(iteration, format)),
  }
}
