import { aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import { aiConfigTargetings } from '../../../models/ai-configs/ai-config-targeting.ts'
import { aiConfigVariations } from '../../../models/ai-configs/ai-config-variation.ts'
import { deleteOperation } from '../../../operation/document-operations/delete-operation.ts'
import { indexMapping, renumberVariations, usesVariation } from '../../../rules/targeting/variation-indexes.ts'
import { targetingsOf } from '../targeting/targetings-of.ts'

export const deleteAIConfigVariation = deleteOperation(aiConfigVariations, {
  id: 'deleteAIConfigVariation',
  summary: 'Delete a variation of an AI config that no environment serves, with all its versions',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}/variations/{variationKey}',
  access: { action: 'deleteAIConfigVariation', resource: 'proj/{projectKey}:aiconfig/{configKey}' },
  contents: true,
  async also(context, variation, keys) {
    const { tx, fail } = context
    const now = context.readClock()
    const [storedConfig, targetings] = await Promise.all([tx.get(aiConfigs, keys), targetingsOf(tx, keys)])
    const config = storedConfig ?? fail('not_found')
    const { variations, defaults } = config
    const index = variations.findIndex(({ _id }) => _id === variation.id)
    const remaining = variations.filter(({ _id }) => _id !== variation.id)
    const isDefault = defaults.onVariation === index || defaults.offVariation === index
    if (isDefault && remaining.length > 0) {
      const message = `${variation.key} is a default variation: updateDefaultVariation makes another one the default`
      fail('optimistic_locking_error', { message })
    }
    const serving = targetings
      .filter((targeting) => usesVariation(targeting, index))
      .map(({ environmentKey }) => environmentKey)
    if (serving.length > 0) {
      fail('optimistic_locking_error', { message: `${variation.key} is in use in environments: ${serving.join(', ')}` })
    }
    const newIndexOf = indexMapping(variations, remaining)
    for (const targeting of targetings) {
      tx.follow(
        aiConfigTargetings,
        { ...keys, environmentKey: targeting.environmentKey },
        targeting,
        renumberVariations(targeting, newIndexOf),
      )
    }
    tx.follow(aiConfigs, keys, config, {
      ...config,
      variations: remaining,
      defaults: {
        onVariation: atLeastZero(newIndexOf(defaults.onVariation)),
        offVariation: atLeastZero(newIndexOf(defaults.offVariation)),
      },
      holds: config.holds + 1,
      updatedAt: now,
    })
  },
})

/**
 * Returns the index of a default variation; 0 when no variation remains, so that the next one to be created becomes the
 * default.
 */
function atLeastZero(index: number): number {
  return Math.max(index, 0)
}
