import * as v from 'valibot'
import { aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import {
  type AIConfigVariation,
  aiConfigVariationRevisions,
  aiConfigVariations,
} from '../../../models/ai-configs/ai-config-variation.ts'
import { updateOperation, withProperties } from '../../../operation/document-operations/update-operation.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { nextRevision } from '../../../storage/revisions.ts'
import { bypassQuery } from '../../environments/approval-bypass-query.ts'
import { serializeVariation, variationPatch, variationResponse } from './ai-config-variation-schema.ts'
import { checkVariation } from './check-variation.ts'
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
    const check = await checkVariation(tx, keys, config.mode, before, body)
    if (check.errors.length > 0) fail('invalid_request', { errors: check.errors })
    const { judgeConfiguration, ...settings } = body
    const update = { ...settings, tools: check.tools, judges: judgeConfiguration?.judges }
    const after = withState(withProperties(before, update), before, now)
    if (jsonEqual(before, after)) return before
    check.requireUnchanged()
    tx.follow(aiConfigs, keys, config, { ...config, holds: config.holds + 1, updatedAt: now })
    return nextRevision(tx, aiConfigVariationRevisions, keys, before, withComment(after, body), now)
  },
  response: variationResponse,
  serialize: (_, variation, keys) => serializeVariation(variation, keys),
})

/** A comment belongs to the version that it was given for, not to later ones. */
function withComment(
  { comment: _, ...after }: AIConfigVariation,
  { comment }: { readonly comment?: string | undefined },
): AIConfigVariation {
  return comment === undefined ? after : { ...after, comment }
}

/** Sets the times at which a variation was published or archived. */
function withState(after: AIConfigVariation, { state }: AIConfigVariation, now: number): AIConfigVariation {
  if (after.state === state) return after
  return after.state === 'archived'
    ? { ...after, archivedAt: now }
    : { ...after, publishedAt: now, archivedAt: undefined }
}
