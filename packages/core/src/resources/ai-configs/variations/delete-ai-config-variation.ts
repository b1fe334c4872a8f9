import { aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import { aiConfigTargetings } from '../../../models/ai-configs/ai-config-targeting.ts'
import { aiConfigVariations } from '../../../models/ai-configs/ai-config-variation.ts'
import { deleteOperation } from '../../../operation/document-operations/delete-operation.ts'
import { names, placesIn, renumbered } from '../../../rules/targeting/variation-places.ts'
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
    const [found, targetings] = await Promise.all([tx.get(aiConfigs, keys), targetingsOf(tx, keys)])
    const config = found ?? fail('not_found')
    const { variations, defaults } = config
    const index = variations.findIndex(({ _id }) => _id === variation.id)
    const left = variations.filter(({ _id }) => _id !== variation.id)
    const isDefault = defaults.onVariation === index || defaults.offVariation === index
    if (isDefault && left.length > 0) {
      const message = `${variation.key} is a default variation: updateDefaultVariation makes another one the default`
      fail('optimistic_locking_error', { message })
    }
    const serving = targetings.filter((one) => names(one, index)).map(({ environmentKey }) => environmentKey)
    if (serving.length > 0) {
      fail('optimistic_locking_error', { message: `${variation.key} is in use in environments: ${serving.join(', ')}` })
    }
    const place = placesIn(variations, left)
    for (const one of targetings) {
      tx.follow(aiConfigTargetings, { ...keys, environmentKey: one.environmentKey }, one, renumbered(one, place))
    }
    tx.follow(aiConfigs, keys, config, {
      ...config,
      variations: left,
      defaults: { onVariation: kept(place(defaults.onVariation)), offVariation: kept(place(defaults.offVariation)) },
      holds: config.holds + 1,
      updatedAt: now,
    })
  },
})

/** When no variation remains, the first one to be created becomes the default. */
function kept(index: number): number {
  return Math.max(index, 0)
}
