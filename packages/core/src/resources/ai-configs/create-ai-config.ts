import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { aiConfigVariations } from '../../models/ai-configs/ai-config-variation.ts'
import { withDefaultMaintainer } from '../../models/maintainers/maintainer.ts'
import { projects } from '../../models/projects/project.ts'
import { jsonBody } from '../../operation/body.ts'
import { insertNew } from '../../operation/document-operations/create-operation.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { validateMaintainer } from '../maintainers/validate-maintainer.ts'
import { aiConfigRequest, aiConfigResponse, serializeAIConfig } from './ai-config-schema.ts'
import { evaluationMetrics, validateMetrics } from './evaluation-metrics.ts'
import { checkVariation, noReferences } from './variations/check-variation.ts'
import { newVariation } from './variations/new-variation.ts'

export const createAIConfig = operation({
  id: 'createAIConfig',
  undo: [undoOf(aiConfigs, { create: 'createAIConfig' })],
  summary: 'Create an AI config, optionally with a variation that is the default in all environments',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/ai-configs',
  body: jsonBody(aiConfigRequest),
  success: { status: 201, body: aiConfigResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'createAIConfig', resource: 'proj/{projectKey}:aiconfig/{body.key}' },
  async handle(context, { params, body: { defaultVariation, ...settings } }) {
    const { tx, caller, fail } = context
    const now = context.readClock()
    const keys = { ...params, configKey: settings.key }
    const [project, unmaintained, check] = await Promise.all([
      tx.get(projects, params),
      validateMaintainer(tx, settings),
      checkVariation(tx, { keys, mode: settings.mode }, noReferences, defaultVariation ?? {}),
    ])
    tx.expect(projects, params, project ?? fail('not_found'))
    const invalid = check.errors.map((error) => ({ ...error, attribute: `defaultVariation.${error.attribute}` }))
    const errors = [...validateMetrics(settings), ...unmaintained, ...invalid]
    if (errors.length > 0) fail('invalid_request', { errors })
    const variation = defaultVariation && newVariation(context, keys, { request: defaultVariation, check })
    const config = {
      ...settings,
      evaluationMetricKeys: [],
      ...evaluationMetrics(settings),
      variations: variation ? [{ _id: variation.id, key: variation.key }] : [],
      defaults: { onVariation: 0, offVariation: 0 },
      dependencies: [],
      holds: 0,
      createdAt: now,
      updatedAt: now,
    }
    const created = insertNew(context, aiConfigs, keys, withDefaultMaintainer(config, caller))
    if (variation) tx.insert(aiConfigVariations, { ...keys, variationKey: variation.key }, variation)
    return serializeAIConfig(context, created, keys)
  },
})
