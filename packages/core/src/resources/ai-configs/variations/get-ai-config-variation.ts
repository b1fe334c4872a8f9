import { aiConfigVariationRevisions, aiConfigVariations } from '../../../models/ai-configs/ai-config-variation.ts'
import { listCard } from '../../../operation/cards/list-card.ts'
import { newestRevisionFirst } from '../../../storage/revisions.ts'
import { presentVariation, variationWire } from './ai-config-variation-wire.ts'

export const getAIConfigVariation = listCard(aiConfigVariationRevisions, {
  id: 'getAIConfigVariation',
  summary: 'Fetch a variation of an AI config in all its versions, the newest first',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}/variations/{variationKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: aiConfigVariations,
  select: newestRevisionFirst,
  answer: variationWire,
  present: (_, variation, keys) => presentVariation(variation, keys),
})
