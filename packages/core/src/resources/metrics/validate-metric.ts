import { contextKinds } from '../../models/context-kinds/context-kind.ts'
import type { Metric } from '../../models/metrics/metric.ts'
import type { Context } from '../../operation/context.ts'
import type { ValidationError } from '../../operation/errors.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import type { Reader } from '../../storage/reader.ts'
import { validateMaintainer } from '../maintainers/validate-maintainer.ts'

/**
 * Requires that the properties of a metric are consistent, and that the resources that it refers to exist.
 *
 * @param before the metric before a change, whose maintainer and units are not checked again; undefined for a new
 *   metric.
 * @throws ApiError `invalid_request` naming each property.
 */
export async function requireValidMetric(
  { tx, fail }: Pick<Context<Reader, 'invalid_request'>, 'tx' | 'fail'>,
  projectKey: string,
  metric: Omit<Metric, 'version'>,
  before: Partial<Metric> = {},
): Promise<void> {
  const { maintainerId, maintainerTeamKey } = metric
  const [maintainerErrors, unitErrors] = await Promise.all([
    validateMaintainer(tx, {
      ...(maintainerId === undefined || maintainerId === before.maintainerId ? {} : { maintainerId }),
      ...(maintainerTeamKey === undefined || maintainerTeamKey === before.maintainerTeamKey
        ? {}
        : { maintainerTeamKey }),
    }),
    validateUnits(tx, projectKey, metric, before.randomizationUnits ?? []),
  ])
  const errors = [...kindErrors(metric), ...analysisErrors(metric), ...maintainerErrors, ...unitErrors]
  if (maintainerId !== undefined && maintainerTeamKey !== undefined && maintainerErrors.length === 0)
    errors.push({ attribute: 'maintainerTeamKey', reason: 'must be left out when a member is the maintainer' })
  if (errors.length > 0) fail('invalid_request', { errors })
}

/** Properties that each kind of metric requires, and properties that it cannot have. */
const propertiesOfKinds = {
  custom: { required: ['eventKey'], absent: ['selector', 'urls'] },
  click: { required: ['selector', 'urls'], absent: ['eventKey', 'denominator', 'winsorization'] },
  pageview: { required: ['urls'], absent: ['eventKey', 'selector', 'denominator', 'winsorization'] },
} as const

function kindErrors(metric: Omit<Metric, 'version'>): ValidationError[] {
  const { kind, urls, isNumeric } = metric
  const { required, absent } = propertiesOfKinds[kind]
  const errors: ValidationError[] = [
    ...required
      .filter((attribute) => metric[attribute] === undefined)
      .map((attribute) => ({ attribute, reason: `must be given for a ${kind} metric` })),
    ...absent
      .filter((attribute) => metric[attribute] !== undefined)
      .map((attribute) => ({ attribute, reason: `must be left out for a ${kind} metric` })),
  ]
  if (urls?.length === 0) errors.push({ attribute: 'urls', reason: 'must contain at least 1 address' })
  if (isNumeric && kind !== 'custom')
    errors.push({ attribute: 'isNumeric', reason: 'must be false unless the metric is custom' })
  return errors
}

function analysisErrors(metric: Omit<Metric, 'version'>): ValidationError[] {
  const { isNumeric, unit, analysisType, percentileValue, denominator, eventDefault } = metric
  const errors: ValidationError[] = []
  const refuse = (attribute: string, reason: string) => errors.push({ attribute, reason })
  if (!isNumeric && unit !== undefined) refuse('unit', 'must be left out unless the metric is numeric')
  if (analysisType === 'percentile') {
    if (!isNumeric) refuse('analysisType', 'must be `mean` unless the metric is numeric')
    if (percentileValue === undefined) refuse('percentileValue', 'must be given for the analysis of a percentile')
    if (denominator) refuse('denominator', 'must be left out for the analysis of a percentile')
  } else if (percentileValue !== undefined) {
    refuse('percentileValue', 'must be left out for the analysis of means')
  }
  if (eventDefault.disabled && eventDefault.value !== undefined)
    refuse('eventDefault.value', 'must be left out when the default is disabled')
  return errors
}

async function validateUnits(
  tx: Reader,
  projectKey: string,
  { randomizationUnits }: Pick<Metric, 'randomizationUnits'>,
  known: readonly string[],
): Promise<ValidationError[]> {
  // Every project has the kind `user`, also when it is not stored.
  const isNew = (key: string) => key !== userKind && !known.includes(key)
  const keys = randomizationUnits.filter(isNew)
  const kinds = await tx.getMany(
    contextKinds,
    keys.map((key) => ({ projectKey, key })),
  )
  return keys.flatMap((key, index) => {
    const attribute = `randomizationUnits.${randomizationUnits.indexOf(key)}`
    if (!kinds[index]) return [{ attribute, reason: 'must be a context kind of the project' }]
    return kinds[index].archived ? [{ attribute, reason: 'must not be archived' }] : []
  })
}
