import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { aiConfigVariations } from '../../models/ai-configs/ai-config-variation.ts'
import { maintainedByMaker } from '../../models/maintainers/maintainer.ts'
import { projects } from '../../models/projects/project.ts'
import { jsonBody } from '../../operation/body.ts'
import { insertNew } from '../../operation/document-operations/create-operation.ts'
import { operation } from '../../operation/operation.ts'
import { maintainerFaults } from '../maintainers/maintainer-faults.ts'
import { aiConfigRequest, aiConfigWire, presentAIConfig } from './ai-config-wire.ts'
import { evaluationMetrics, metricFaults } from './evaluation-metrics.ts'
import { examineVariation, noReferences } from './variations/examine-variation.ts'
import { newVariation } from './variations/new-variation.ts'

export const createAIConfig = operation({
  id: 'createAIConfig',
  summary: 'Create an AI config, optionally with a variation that is the default in all environments',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/ai-configs',
  body: jsonBody(aiConfigRequest),
  success: { status: 201, body: aiConfigWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'createAIConfig', resource: 'proj/{projectKey}:aiconfig/{body.key}' },
  async handle(context, { params, body: { defaultVariation, ...given } }) {
    const { tx, caller, fail } = context
    const now = context.readClock()
    const keys = { ...params, configKey: given.key }
    const [project, unmaintained, examined] = await Promise.all([
      tx.get(projects, params),
      maintainerFaults(tx, given),
      examineVariation(tx, keys, given.mode, noReferences, defaultVariation ?? {}, 'defaultVariation.'),
    ])
    tx.expect(projects, params, project ?? fail('not_found'))
    const errors = [...metricFaults(given), ...unmaintained, ...examined.faults]
    if (errors.length > 0) fail('invalid_request', { errors })
    const variation = defaultVariation && newVariation(context, keys, defaultVariation, examined)
    const config = {
      ...given,
      evaluationMetricKeys: [],
      ...evaluationMetrics(given),
      variations: variation ? [{ _id: variation.id, key: variation.key }] : [],
      defaults: { onVariation: 0, offVariation: 0 },
      dependencies: [],
      holds: 0,
      createdAt: now,
      updatedAt: now,
    }
    const made = insertNew(context, aiConfigs, keys, maintainedByMaker(config, caller))
    if (variation) tx.insert(aiConfigVariations, { ...keys, variationKey: variation.key }, variation)
    return presentAIConfig(context, made, keys)
  },
})
