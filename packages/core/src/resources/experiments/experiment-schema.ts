import * as v from 'valibot'
import { type Experiment, type ExperimentKeys, experiments } from '../../models/experiments/experiment.ts'
import { type ExperimentMetric, type Iteration, iterationStatuses } from '../../models/experiments/iteration.ts'
import { iterationsByState, shownIteration } from '../../models/experiments/shown-iterations.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { accessDetails, expand, key, link, links, list, name, text, timestamp } from '../../operation/schema.ts'
import { iterationRequest } from './iteration-request.ts'

/** Request body of the creation of an experiment. */
export const experimentRequest = v.strictObject({
  key: key(),
  name: name(),
  description: v.optional(text(), ''),
  maintainerId: v.optional(v.string()),
  holdoutId: v.optional(v.string()),
  iteration: iterationRequest,
})

/** Properties that responses contain only when `expand` names them. */
export const experimentExpansions = ['draftIteration', 'previousIterations', 'secondaryMetrics', 'treatments'] as const

export type ExperimentExpansion = (typeof experimentExpansions)[number]

export const experimentQuery = { expand: expand(...experimentExpansions) }

const metricResponse = v.object({ key: v.string(), isGroup: v.boolean(), _links: links() })

const treatmentResponse = v.object({
  _id: v.string(),
  name: v.string(),
  allocationPercent: v.string(),
  baseline: v.boolean(),
  parameters: list(v.object({ flagKey: v.string(), variationId: v.string() })),
})

export const iterationResponse = v.object({
  _id: v.string(),
  hypothesis: v.string(),
  status: v.picklist(iterationStatuses),
  createdAt: timestamp(),
  startedAt: v.optional(timestamp()),
  endedAt: v.optional(timestamp()),
  winningTreatmentId: v.optional(v.string()),
  winningReason: v.optional(v.string()),
  changeJustification: v.optional(v.string()),
  canReshuffleTraffic: v.boolean(),
  flags: v.record(
    v.string(),
    v.object({
      targetingRule: v.string(),
      flagConfigVersion: v.number(),
      notInExperimentVariationId: v.string(),
      _links: links(),
    }),
  ),
  primaryMetric: v.optional(metricResponse),
  primarySingleMetric: v.optional(metricResponse),
  primaryFunnel: v.optional(metricResponse),
  randomizationUnit: v.string(),
  attributes: list(v.string()),
  treatments: v.optional(list(treatmentResponse)),
  secondaryMetrics: v.optional(list(metricResponse)),
  metrics: list(metricResponse),
  layerSnapshot: v.optional(
    v.object({
      key: v.string(),
      name: v.string(),
      reservationPercent: v.number(),
      otherReservationPercent: v.number(),
    }),
  ),
})

const experimentObject = v.object({
  _id: v.string(),
  key: v.string(),
  name: v.string(),
  description: v.string(),
  _maintainerId: v.optional(v.string()),
  _creationDate: timestamp(),
  environmentKey: v.string(),
  archivedDate: v.optional(timestamp()),
  holdoutId: v.optional(v.string()),
  currentIteration: v.optional(iterationResponse),
  draftIteration: v.optional(iterationResponse),
  previousIterations: v.optional(list(iterationResponse)),
  _links: v.record(v.string(), link()),
  _access: v.optional(accessDetails()),
})

/** An experiment in a response. */
export interface ExperimentResponse extends v.InferOutput<typeof experimentObject> {}

export const experimentResponse: v.GenericSchema<ExperimentResponse> = experimentObject

/** Returns the path of an experiment. */
export function experimentPath({ projectKey, environmentKey, experimentKey }: ExperimentKeys): string {
  return path`/api/v2/projects/${projectKey}/environments/${environmentKey}/experiments/${experimentKey}`
}

/** Serializes an experiment with the properties that the caller requested. */
export async function serializeExperiment(
  context: ReadContext,
  experiment: Experiment,
  keys: ExperimentKeys,
  { expand = [] }: { readonly expand?: readonly ExperimentExpansion[] },
): Promise<ExperimentResponse> {
  const { id, key, name, description, maintainerId, environmentKey, archivedAt, holdoutId, createdAt } = experiment
  const { current, previous, draft } = iterationsByState(experiment.iterations)
  const serialize = (iteration: Iteration) => serializeIteration(context, iteration, keys, expand)
  return {
    _id: id,
    key,
    name,
    description,
    ...(maintainerId === undefined ? {} : { _maintainerId: maintainerId }),
    _creationDate: context.format.time(createdAt),
    environmentKey,
    ...(archivedAt === undefined ? {} : { archivedDate: context.format.time(archivedAt) }),
    ...(holdoutId === undefined ? {} : { holdoutId }),
    ...(current ? { currentIteration: serialize(current) } : {}),
    ...(draft && expand.includes('draftIteration') ? { draftIteration: serialize(draft) } : {}),
    ...(expand.includes('previousIterations') ? { previousIterations: previous.map(serialize) } : {}),
    _links: {
      self: linkTo(experimentPath(keys)),
      parent: linkTo(path`/api/v2/projects/${keys.projectKey}/environments/${keys.environmentKey}`),
    },
    _access: await context.access(experiments, keys, experiment),
  }
}

/** Serializes an iteration with the properties that the caller requested. */
export function serializeIteration(
  { format }: ReadContext,
  iteration: Iteration,
  { projectKey }: Pick<ExperimentKeys, 'projectKey'>,
  expand: readonly ExperimentExpansion[],
): v.InferOutput<typeof iterationResponse> {
  const { flags, metrics, secondaryMetrics, treatments, ...shown } = shownIteration(iteration, format)
  const { primaryMetric, primarySingleMetric, primaryFunnel, ...properties } = shown
  const withLink = (metric: ExperimentMetric) => linkedMetric(projectKey, metric)
  const self = linkTo(subjectPath(projectKey, iteration.subject))
  const flagEntries = Object.entries(flags).map(([key, flag]) => [key, { ...flag, _links: { self } }])
  return {
    ...properties,
    flags: Object.fromEntries(flagEntries),
    ...(primaryMetric ? { primaryMetric: withLink(primaryMetric) } : {}),
    ...(primarySingleMetric ? { primarySingleMetric: withLink(primarySingleMetric) } : {}),
    ...(primaryFunnel ? { primaryFunnel: withLink(primaryFunnel) } : {}),
    metrics: metrics.map(withLink),
    ...(expand.includes('secondaryMetrics') ? { secondaryMetrics: secondaryMetrics.map(withLink) } : {}),
    ...(expand.includes('treatments') ? { treatments } : {}),
  }
}

function linkedMetric(projectKey: string, { key, isGroup }: ExperimentMetric) {
  const metricPath = path`/api/v2/metrics/${projectKey}/${key}`
  const groupPath = path`/api/v2/projects/${projectKey}/metric-groups/${key}`
  return { key, isGroup, _links: { self: linkTo(isGroup ? groupPath : metricPath) } }
}

function subjectPath(projectKey: string, { kind, key }: Iteration['subject']): string {
  return kind === 'flag'
    ? path`/api/v2/flags/${projectKey}/${key}`
    : path`/api/v2/projects/${projectKey}/ai-configs/${key}`
}
