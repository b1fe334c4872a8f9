import { createCard } from '../../operation/cards/create-card.ts'
import { aiConfigs, mostVariations } from './ai-config.ts'
import { aiConfigVariations } from './ai-config-variation.ts'
import { presentVariation, variationRequest, variationWire } from './ai-config-variation-wire.ts'
import { examineVariation, noReferences } from './examine-variation.ts'
import { newVariation } from './new-variation.ts'

export const createAIConfigVariation = createCard(aiConfigVariations, {
  id: 'createAIConfigVariation',
  summary: 'Add a variation to an AI config; the first one is served by default',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}/variations',
  access: { action: 'updateAIConfigVariation', resource: 'proj/{projectKey}:aiconfig/{configKey}' },
  within: aiConfigs,
  body: variationRequest,
  async make(context, body, keys) {
    const { tx, now, fail } = context
    const config = (await tx.get(aiConfigs, keys)) ?? fail('not_found')
    if (config.variations.length >= mostVariations) {
      fail('invalid_request', { message: `An AI config has at most ${mostVariations} variations` })
    }
    const examined = await examineVariation(tx, keys, config.mode, noReferences, body)
    if (examined.faults.length > 0) fail('invalid_request', { errors: examined.faults })
    const variation = newVariation(context, keys, body, examined)
    const variations = [...config.variations, { _id: variation.id, key: variation.key }]
    tx.follow(aiConfigs, keys, config, { ...config, variations, holds: config.holds + 1, updatedAt: now })
    return variation
  },
  answer: variationWire,
  present: (_, variation, keys) => presentVariation(variation, keys),
})
