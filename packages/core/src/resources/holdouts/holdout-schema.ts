import * as v from 'valibot'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { type Experiment, experiments, runningIteration } from '../../models/experiments/experiment.ts'
import { type Holdout, type HoldoutKeys, holdouts } from '../../models/holdouts/holdout.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { accessDetails, expand, key, links, list, name, text, timestamp } from '../../operation/schema.ts'
import type { Reader } from '../../storage/reader.ts'
import {
  type ExperimentExpansion,
  experimentExpansions,
  experimentResponse,
  serializeExperiment,
} from '../experiments/experiment-schema.ts'
import { attributesRequest, metricsRequest, percentage } from '../experiments/iteration-request.ts'
import { contextKind } from '../targeting/clause-schema.ts'

/** Request body of the creation of a holdout, with the names of the reference API. */
export const holdoutRequest = v.strictObject({
  key: key(),
  name: name(),
  description: v.optional(text(), ''),
  randomizationunit: v.optional(contextKind()),
  attributes: v.optional(attributesRequest(), []),
  holdoutamount: v.pipe(percentage(), v.minValue(0.001, 'must be at least 0.001')),
  primarymetrickey: key(),
  metrics: metricsRequest(),
  maintainerId: v.optional(v.string()),
})

export const holdoutStatuses = ['created', 'enabled', 'running', 'ended'] as const

export type HoldoutStatus = (typeof holdoutStatuses)[number]

const relatedResponse = v.object({ key: v.string(), name: v.string(), environment: v.string() })

/** The comparison of the contexts in a holdout with all others, in the form of an experiment. */
const baseResponse = v.object({
  _id: v.string(),
  key: v.string(),
  name: v.string(),
  description: v.string(),
  _maintainerId: v.optional(v.string()),
  _creationDate: timestamp(),
  environmentKey: v.string(),
  randomizationUnit: v.string(),
  attributes: list(v.string()),
  metrics: list(v.object({ key: v.string(), isGroup: v.boolean() })),
  _links: links(),
})

const holdoutEntries = {
  _id: v.string(),
  status: v.picklist(holdoutStatuses),
  description: v.string(),
  holdoutAmount: v.string(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  baseExperiment: baseResponse,
  _access: v.optional(accessDetails()),
}

export const holdoutResponse = v.object({ ...holdoutEntries, experiments: list(relatedResponse) })

export const holdoutDetailResponse = v.object({
  ...holdoutEntries,
  isDirty: v.boolean(),
  relatedExperiments: list(experimentResponse),
})

export const holdoutSummaryResponse = v.object({
  _id: v.string(),
  key: v.string(),
  name: v.string(),
  status: v.picklist(holdoutStatuses),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  experiments: list(relatedResponse),
})

/** Properties of related experiments that responses contain only when `expand` names them. */
export const holdoutExpansions = [
  'rel-draftIteration',
  'rel-previousIterations',
  'rel-secondaryMetrics',
  'rel-treatments',
] as const

export const holdoutQuery = v.object({ expand: expand(...holdoutExpansions) })

/** Maximum number of experiments of a holdout. */
export const maxRelated = 1_000

/** Returns the experiments of a holdout. */
export async function relatedExperiments(
  tx: Reader,
  { projectKey, environmentKey }: EnvironmentKeys,
  { id }: Pick<Holdout, 'id'>,
): Promise<readonly Experiment[]> {
  const where = [{ op: 'equals', field: 'holdoutId', value: id }] as const
  return (await tx.list(experiments, { projectKey, environmentKey }, { where, limit: maxRelated })).items
}

/** Returns the status of a holdout, which is computed from its experiments. */
export function statusOf({ endedAt }: Holdout, related: readonly Experiment[]): HoldoutStatus {
  if (endedAt !== undefined) return 'ended'
  if (related.some((experiment) => runningIteration(experiment))) return 'running'
  return related.length > 0 ? 'enabled' : 'created'
}

/** Serializes a holdout with the keys of its experiments. */
export async function serializeHoldout(
  context: ReadContext,
  holdout: Holdout,
  keys: HoldoutKeys,
): Promise<v.InferOutput<typeof holdoutResponse>> {
  const related = await relatedExperiments(context.tx, keys, holdout)
  return { ...(await commonProperties(context, { holdout, keys }, related)), experiments: related.map(summaryOf) }
}

/** Serializes a holdout with its experiments. */
export async function serializeHoldoutDetail(
  context: ReadContext,
  holdout: Holdout,
  keys: HoldoutKeys,
  { expand }: v.InferOutput<typeof holdoutQuery>,
): Promise<v.InferOutput<typeof holdoutDetailResponse>> {
  const related = await relatedExperiments(context.tx, keys, holdout)
  const requested = experimentExpansions.filter((name): name is ExperimentExpansion =>
    (expand as readonly string[]).includes(`rel-${name}`),
  )
  const serialized = related.map((experiment) => {
    const experimentKeys = { ...keys, experimentKey: experiment.key }
    return serializeExperiment(context, experiment, experimentKeys, { expand: requested })
  })
  return {
    ...(await commonProperties(context, { holdout, keys }, related)),
    isDirty: statusOf(holdout, related) === 'running',
    relatedExperiments: await Promise.all(serialized),
  }
}

/** Serializes a holdout for a list. */
export async function serializeHoldoutSummary(
  context: ReadContext,
  holdout: Holdout,
  keys: HoldoutKeys,
): Promise<v.InferOutput<typeof holdoutSummaryResponse>> {
  const { id, key, name, createdAt, updatedAt } = holdout
  const related = await relatedExperiments(context.tx, keys, holdout)
  const { format } = context
  return {
    _id: id,
    key,
    name,
    status: statusOf(holdout, related),
    createdAt: format.time(createdAt),
    updatedAt: format.time(updatedAt),
    experiments: related.map(summaryOf),
  }
}

/** A holdout, and its keys. */
interface LocatedHoldout {
  readonly holdout: Holdout
  readonly keys: HoldoutKeys
}

async function commonProperties(
  context: ReadContext,
  { holdout, keys }: LocatedHoldout,
  related: readonly Experiment[],
) {
  const { id, key, name, description, maintainerId, environmentKey, holdoutAmount, createdAt, updatedAt } = holdout
  const { randomizationUnit, attributes, metrics } = holdout
  const { format } = context
  const parent = path`/api/v2/projects/${keys.projectKey}/environments/${keys.environmentKey}/holdouts`
  return {
    _id: id,
    status: statusOf(holdout, related),
    description,
    holdoutAmount: String(holdoutAmount),
    createdAt: format.time(createdAt),
    updatedAt: format.time(updatedAt),
    baseExperiment: {
      _id: id,
      key,
      name,
      description,
      ...(maintainerId === undefined ? {} : { _maintainerId: maintainerId }),
      _creationDate: format.time(createdAt),
      environmentKey,
      randomizationUnit,
      attributes,
      metrics,
      _links: { self: linkTo(`${parent}${path`/${key}`}`), parent: linkTo(parent) },
    },
    _access: await context.access(holdouts, keys, holdout),
  }
}

function summaryOf({ key, name, environmentKey }: Experiment) {
  return { key, name, environment: environmentKey }
}
