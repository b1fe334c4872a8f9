import { aiConfigVariationRevisions, aiConfigVariations } from '../../../models/ai-configs/ai-config-variation.ts'
import { listOperation } from '../../../operation/document-operations/list-operation.ts'
import { newestRevisionFirst } from '../../../storage/revisions.ts'
import { serializeVariation, variationResponse } from './ai-config-variation-schema.ts'

export const getAIConfigVariation = listOperation(aiConfigVariationRevisions, {
  id: 'getAIConfigVariation',
  summary: 'Get all versions of a variation of an AI config, newest first',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}/variations/{variationKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: aiConfigVariations,
  select: newestRevisionFirst,
  response: variationResponse,
  serialize: (_, variation, keys) => serializeVariation(variation, keys),
})
