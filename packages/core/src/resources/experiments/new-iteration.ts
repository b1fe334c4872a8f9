import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import {
  defaultExperimentationSettings,
  experimentationSettings,
} from '../../models/experimentation-settings/experimentation-settings.ts'
import type { ExperimentMetric, Iteration } from '../../models/experiments/iteration.ts'
import type { WriteContext } from '../../operation/context.ts'
import type { ValidationError } from '../../operation/errors.ts'
import { servedByRule } from '../../rules/experiments/iteration-targeting.ts'
import type { Reader } from '../../storage/reader.ts'
import type { IterationRequest } from './iteration-request.ts'
import { validateMetrics } from './metric-definitions.ts'
import { findSubject, type SubjectState } from './subject-state.ts'

/** The iteration that a request describes, and the validation errors in the request. */
export interface CheckedIteration {
  /** The iteration; undefined when the request has errors. */
  readonly iteration: Iteration | undefined
  readonly errors: readonly ValidationError[]
}

/**
 * Makes an iteration that has not started.
 *
 * @param path prefix of the attributes in errors, e.g. `iteration.`.
 */
export async function newIteration(
  context: WriteContext,
  { projectKey, environmentKey }: EnvironmentKeys,
  request: IterationRequest,
  path: string,
): Promise<CheckedIteration> {
  const { tx } = context
  const [[flagKey, flag]] = Object.entries(request.flags) as [[string, IterationRequest['flags'][string]]]
  const [units, subject, metricErrors] = await Promise.all([
    randomizationUnitsOf(tx, projectKey),
    findSubject(context, projectKey, flagKey),
    validateMetrics(tx, projectKey, request.metrics),
  ])
  const { metrics, errors: primaryErrors } = orderedMetrics(request)
  const { randomizationUnit = units.defaultUnit } = request
  const baseline = request.treatments.find((treatment) => treatment.baseline)
  const notInExperimentVariationId = flag.notInExperimentVariationId ?? baseline?.parameters[0]?.variationId ?? ''
  const errors = [
    ...metricErrors,
    ...primaryErrors,
    ...(units.allowed.includes(randomizationUnit)
      ? []
      : [{ attribute: 'randomizationUnit', reason: `must be one of ${units.allowed.join(', ')}` }]),
    ...validateTreatments(request, flagKey),
    ...validateSubject(subject, { environmentKey, flagKey }, request, notInExperimentVariationId),
  ]
  if (errors.length > 0 || !subject) {
    return { iteration: undefined, errors: errors.map((error) => ({ ...error, attribute: path + error.attribute })) }
  }
  const { newId } = context.useHost()
  const iteration: Iteration = {
    id: newId(),
    status: 'not_started',
    hypothesis: request.hypothesis,
    createdAt: context.readClock(),
    canReshuffleTraffic: request.canReshuffleTraffic,
    subject: { kind: subject.kind, key: flagKey },
    ruleId: flag.ruleId,
    flagConfigVersion: flag.flagConfigVersion,
    notInExperimentVariationId,
    randomizationUnit,
    attributes: request.attributes,
    metrics,
    treatments: request.treatments.map(({ name, baseline, allocationPercent, parameters }) => ({
      id: newId(),
      name,
      baseline,
      allocationPercent,
      variationId: parameters[0]?.variationId ?? '',
    })),
  }
  return { iteration, errors: [] }
}

/** Returns the allowed randomization units of a project, which are context kinds, and the default unit. */
export async function randomizationUnitsOf(tx: Reader, projectKey: string) {
  const settings = (await tx.get(experimentationSettings, { projectKey })) ?? defaultExperimentationSettings(0)
  const { randomizationUnits } = settings
  return {
    allowed: randomizationUnits.map((unit) => unit.randomizationUnit),
    defaultUnit: randomizationUnits.find((unit) => unit.default)?.randomizationUnit ?? '',
  }
}

/** Returns the metrics of a request, with the primary one first. */
function orderedMetrics({ metrics, primarySingleMetricKey, primaryFunnelKey }: IterationRequest) {
  const matches = metrics.filter(({ key, isGroup, primary }) => {
    if (primarySingleMetricKey !== undefined) return key === primarySingleMetricKey && !isGroup
    return primaryFunnelKey === undefined ? primary === true : key === primaryFunnelKey && isGroup
  })
  const attribute = primaryFunnelKey === undefined ? 'primarySingleMetricKey' : 'primaryFunnelKey'
  const errors: ValidationError[] = [
    ...(primarySingleMetricKey !== undefined && primaryFunnelKey !== undefined
      ? [{ attribute: 'primaryFunnelKey', reason: 'must be left out when primarySingleMetricKey is given' }]
      : []),
    ...(matches.length === 1 ? [] : [{ attribute, reason: 'must be the key of one of the metrics' }]),
  ]
  const sorted = [...matches, ...metrics.filter((metric) => !matches.includes(metric))]
  return { errors, metrics: sorted.map(({ key, isGroup }): ExperimentMetric => ({ key, isGroup })) }
}

function validateTreatments({ treatments }: IterationRequest, flagKey: string): ValidationError[] {
  const total = treatments.reduce((sum, { allocationPercent }) => sum + allocationPercent, 0)
  const variationIds = treatments.map(({ parameters }) => parameters[0]?.variationId)
  return [
    ...(treatments.filter(({ baseline }) => baseline).length === 1
      ? []
      : [{ attribute: 'treatments', reason: 'must have exactly one baseline' }]),
    ...(total > 100.0005 ? [{ attribute: 'treatments', reason: 'must have allocations that total at most 100' }] : []),
    ...(new Set(variationIds).size < variationIds.length
      ? [{ attribute: 'treatments', reason: 'must not repeat a variation' }]
      : []),
    ...treatments.flatMap(({ parameters }, index) =>
      parameters[0]?.flagKey === flagKey
        ? []
        : [{ attribute: `treatments.${index}.parameters.0.flagKey`, reason: 'must be the key of the flag in `flags`' }],
    ),
  ]
}

/** The flag of an experiment, and its environment. */
interface FlagInEnvironment {
  readonly environmentKey: string
  readonly flagKey: string
}

function validateSubject(
  subject: SubjectState | undefined,
  { environmentKey, flagKey }: FlagInEnvironment,
  { flags, treatments }: IterationRequest,
  notInExperimentVariationId: string,
): ValidationError[] {
  const targeting = subject?.targetings.get(environmentKey)
  if (!subject || !targeting || subject.archived) {
    return [{ attribute: 'flags', reason: 'must contain a flag of the project that is not archived, or an AI config' }]
  }
  const { variations } = subject
  const isUnknown = (id: string | undefined) => !variations.some(({ _id }) => _id === id)
  const reason = 'must be the _id of a variation'
  return [
    ...(servedByRule(targeting, flags[flagKey]?.ruleId ?? '')
      ? []
      : [{ attribute: `flags.${flagKey}.ruleId`, reason: 'must be the _id of a rule, or fallthrough' }]),
    ...(isUnknown(notInExperimentVariationId)
      ? [{ attribute: `flags.${flagKey}.notInExperimentVariationId`, reason }]
      : []),
    ...treatments.flatMap(({ parameters }, index) =>
      isUnknown(parameters[0]?.variationId)
        ? [{ attribute: `treatments.${index}.parameters.0.variationId`, reason }]
        : [],
    ),
  ]
}
