import type * as v from 'valibot'
import type { AIConfig } from '../../models/ai-configs/ai-config.ts'
import { withMaintainer } from '../../models/maintainers/maintainer.ts'
import type { WriteContext } from '../../operation/context.ts'
import { withProperties } from '../../operation/document-operations/update-operation.ts'
import { fail } from '../../operation/errors.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { validateMaintainer } from '../maintainers/validate-maintainer.ts'
import type { aiConfigPatch } from './ai-config-schema.ts'
import { evaluationMetrics, validateMetrics } from './evaluation-metrics.ts'

/**
 * Returns a config with the properties of a patch; the config itself when they are equal.
 *
 * @throws ApiError `invalid_request` naming each invalid property.
 */
export async function changedConfig(
  context: Pick<WriteContext, 'tx' | 'readClock'>,
  before: AIConfig,
  body: v.InferOutput<typeof aiConfigPatch>,
): Promise<AIConfig> {
  const now = context.readClock()
  const errors = [...validateMetrics(body), ...(await validateMaintainer(context.tx, body))]
  if (errors.length > 0) fail('invalid_request', { errors })
  const after = { ...withMaintainer(withProperties(before, body), body), ...evaluationMetrics(body) }
  return jsonEqual(before, after) ? before : { ...after, updatedAt: now }
}
