import * as v from 'valibot'
import { aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import { aiConfigVariations } from '../../../models/ai-configs/ai-config-variation.ts'
import { updateOperation } from '../../../operation/document-operations/update-operation.ts'
import { bypassQuery } from '../../environments/approval-bypass-query.ts'
import { serializeVariation, variationPatch, variationResponse } from './ai-config-variation-schema.ts'
import { changedVariation } from './changed-variation.ts'
import { undoVariation } from './undo-variation.ts'

export const patchAIConfigVariation = updateOperation(aiConfigVariations, {
  id: 'patchAIConfigVariation',
  undo: { update: undoVariation, restores: ['comment', 'publishedAt', 'archivedAt'] },
  method: 'PATCH',
  summary: 'Update a variation of an AI config, which creates a new version',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}/variations/{variationKey}',
  resource: aiConfigs.template,
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  query: v.object(bypassQuery),
  body: variationPatch,
  async change(context, before, body, keys) {
    const { tx, fail } = context
    const now = context.readClock()
    const config = (await tx.get(aiConfigs, keys)) ?? fail('not_found')
    const after = await changedVariation(context, { keys, mode: config.mode }, before, body)
    if (after === before) return before
    tx.follow(aiConfigs, keys, config, { ...config, holds: config.holds + 1, updatedAt: now })
    return after
  },
  response: variationResponse,
  serialize: (_, variation, keys) => serializeVariation(variation, keys),
})
