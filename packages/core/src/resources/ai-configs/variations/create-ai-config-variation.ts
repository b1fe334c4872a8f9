import { aiConfigs, maxVariations } from '../../../models/ai-configs/ai-config.ts'
import { aiConfigVariations } from '../../../models/ai-configs/ai-config-variation.ts'
import { jsonBody } from '../../../operation/body.ts'
import { insertNew } from '../../../operation/document-operations/create-operation.ts'
import { operation } from '../../../operation/operation.ts'
import { undoOf } from '../../../operation/undo/undo-rules.ts'
import { serializeVariation, variationRequest, variationResponse } from './ai-config-variation-schema.ts'
import { checkVariation, noReferences } from './check-variation.ts'
import { newVariation } from './new-variation.ts'
import { prepareVariation } from './undo-variation.ts'

export const createAIConfigVariation = operation({
  id: 'createAIConfigVariation',
  undo: [undoOf(aiConfigVariations, { create: 'updateAIConfigVariation', prepare: prepareVariation })],
  summary: 'Create a variation of an AI config; the first one is served by default',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}/variations',
  body: jsonBody(variationRequest),
  success: { status: 201, body: variationResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'updateAIConfigVariation', resource: 'proj/{projectKey}:aiconfig/{configKey}' },
  async handle(context, { params, body }) {
    const { tx, fail } = context
    const now = context.readClock()
    const config = (await tx.get(aiConfigs, params)) ?? fail('not_found')
    if (config.variations.length >= maxVariations) {
      fail('invalid_request', { message: `An AI config can have at most ${maxVariations} variations` })
    }
    const check = await checkVariation(tx, { keys: params, mode: config.mode }, noReferences, body)
    if (check.errors.length > 0) fail('invalid_request', { errors: check.errors })
    const keys = { ...params, variationKey: body.key }
    const variation = insertNew(
      context,
      aiConfigVariations,
      keys,
      newVariation(context, params, { request: body, check }),
    )
    const variations = [...config.variations, { _id: variation.id, key: variation.key }]
    tx.follow(aiConfigs, params, config, { ...config, variations, holds: config.holds + 1, updatedAt: now })
    return serializeVariation(variation, params)
  },
})
