import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { environments } from '../../models/environments/environment.ts'
import { endIteration } from '../../models/experiments/end-iteration.ts'
import {
  type Experiment,
  type ExperimentKeys,
  experiments,
  runningIteration,
} from '../../models/experiments/experiment.ts'
import type { ExperimentMetric, ExperimentSubject } from '../../models/experiments/iteration.ts'
import { flags } from '../../models/flags/flag.ts'
import { holdouts } from '../../models/holdouts/holdout.ts'
import { layers } from '../../models/layers/layer.ts'
import { members } from '../../models/members/member.ts'
import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { metrics } from '../../models/metrics/metric.ts'
import { segments } from '../../models/segments/segment.ts'
import type { WriteContext } from '../../operation/context.ts'
import { type ReferenceRow, referenceRow, type SavedChange } from '../../operation/reference-row.ts'

/** Returns the keys of the flags or AI configs of iterations that are running or have not started. */
function subjectsOf({ iterations }: Experiment, kind: ExperimentSubject['kind']): string[] {
  const open = iterations.filter(({ status, subject }) => status !== 'stopped' && subject.kind === kind)
  return [...new Set(open.map(({ subject }) => subject.key))]
}

/** Returns an experiment without the iterations of a subject that have not started. A running iteration is stopped. */
function withoutSubject(experiment: Experiment, key: string): Experiment {
  const iterations = experiment.iterations.flatMap((iteration) => {
    if (iteration.subject.key !== key || iteration.status === 'stopped') return [iteration]
    return iteration.status === 'running' ? [{ ...iteration, status: 'stopped' as const }] : []
  })
  return { ...experiment, iterations }
}

/** Returns the keys of the metrics or metric groups of iterations that are running or have not started. */
function metricsOf({ iterations }: Experiment, isGroup: boolean): string[] {
  const open = iterations.filter(({ status }) => status !== 'stopped')
  const used = open.flatMap(({ metrics }) => metrics.filter((metric) => metric.isGroup === isGroup))
  return [...new Set(used.map(({ key }) => key))]
}

/**
 * Returns an experiment whose open iterations no longer have a metric. A running measurement keeps its definition of
 * the metric.
 */
function withoutMetric(experiment: Experiment, { key, isGroup }: ExperimentMetric): Experiment {
  const iterations = experiment.iterations.map((iteration) =>
    iteration.status === 'stopped'
      ? iteration
      : {
          ...iteration,
          metrics: iteration.metrics.filter((metric) => metric.key !== key || metric.isGroup !== isGroup),
        },
  )
  return { ...experiment, iterations }
}

/** Stores an experiment whose running iteration ended because its subject was deleted. */
async function saveExperiment(
  context: WriteContext,
  { keys, before, after = before }: SavedChange<Experiment, typeof experiments.template>,
): Promise<void> {
  const running = runningIteration(before)
  const isStopped = after.iterations.some(({ id, status }) => id === running?.id && status === 'stopped')
  const end = { now: context.readClock(), winningTreatmentId: undefined, winningReason: undefined }
  const saved =
    isStopped && running ? await endIteration(context.tx, keys, after, { ...end, iteration: running }) : after
  context.tx.replace(experiments, keys, before, saved)
}

const inFields = (field: string, value: string) => [{ op: 'equals', field, value }] as const

/** References of experiments, layers and holdouts. */
export const experimentReferences: readonly ReferenceRow[] = [
  referenceRow({
    from: experiments,
    property: 'iterations.subject.key',
    to: flags,
    rule: 'refuse',
    targets: (experiment, { projectKey }: ExperimentKeys) =>
      subjectsOf(experiment, 'flag').map((flagKey) => ({ projectKey, flagKey })),
    where: ({ flagKey }) => inFields('flagKeys', flagKey),
    withoutReference: (experiment, { flagKey }) => withoutSubject(experiment, flagKey),
    save: saveExperiment,
  }),
  referenceRow({
    from: experiments,
    property: 'iterations.subject.key',
    to: aiConfigs,
    rule: 'refuse',
    targets: (experiment, { projectKey }: ExperimentKeys) =>
      subjectsOf(experiment, 'aiconfig').map((configKey) => ({ projectKey, configKey })),
    where: ({ configKey }) => inFields('flagKeys', configKey),
    withoutReference: (experiment, { configKey }) => withoutSubject(experiment, configKey),
    save: saveExperiment,
  }),
  referenceRow({
    from: experiments,
    property: 'iterations.metrics.key',
    to: metrics,
    rule: 'refuse',
    targets: (experiment, { projectKey }: ExperimentKeys) =>
      metricsOf(experiment, false).map((metricKey) => ({ projectKey, metricKey })),
    where: ({ metricKey }) => inFields('metricKeys', metricKey),
    withoutReference: (experiment, { metricKey }) => withoutMetric(experiment, { key: metricKey, isGroup: false }),
  }),
  referenceRow({
    from: experiments,
    property: 'iterations.metrics.key',
    to: metricGroups,
    rule: 'refuse',
    targets: (experiment, { projectKey }: ExperimentKeys) =>
      metricsOf(experiment, true).map((metricGroupKey) => ({ projectKey, metricGroupKey })),
    where: ({ metricGroupKey }) => inFields('metricKeys', metricGroupKey),
    withoutReference: (experiment, { metricGroupKey }) =>
      withoutMetric(experiment, { key: metricGroupKey, isGroup: true }),
  }),
  ...[experiments, holdouts].map((from) =>
    referenceRow({
      from: from as typeof experiments,
      property: 'maintainerId',
      to: members,
      rule: 'detach',
      why: 'A member can leave at any time; what they maintained has no maintainer then.',
      targets: ({ maintainerId }) => (maintainerId === undefined ? [] : [{ memberId: maintainerId }]),
      withoutReference: ({ maintainerId: _, ...document }) => document,
      unchecked: true,
    }),
  ),
  referenceRow({
    from: holdouts,
    property: 'segmentKey',
    to: segments,
    rule: 'refuse',
    targets: ({ segmentKey }, { projectKey, environmentKey }) => [{ projectKey, environmentKey, segmentKey }],
    where: ({ segmentKey }) => inFields('segmentKey', segmentKey),
    withoutReference: () => undefined,
    deleteAction: 'deleteHoldout',
  }),
  referenceRow({
    from: layers,
    property: 'reservations.environmentKey',
    to: environments,
    rule: 'detach',
    why: 'The experiments of an environment are deleted with it.',
    targets: ({ reservations }, { projectKey }) =>
      reservations.map(({ environmentKey }) => ({ projectKey, environmentKey })),
    withoutReference: (layer, { environmentKey }) => ({
      ...layer,
      reservations: layer.reservations.filter((entry) => entry.environmentKey !== environmentKey),
    }),
  }),
]
