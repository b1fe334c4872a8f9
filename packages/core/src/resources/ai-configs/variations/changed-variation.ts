import {
  type AIConfigVariation,
  aiConfigVariationRevisions,
  type VariationKeys,
} from '../../../models/ai-configs/ai-config-variation.ts'
import type { WriteContext } from '../../../operation/context.ts'
import { withProperties } from '../../../operation/document-operations/update-operation.ts'
import { fail } from '../../../operation/errors.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { nextRevision } from '../../../storage/revisions.ts'
import type { VariationPatch } from './ai-config-variation-schema.ts'
import { checkVariation, type VariedConfig } from './check-variation.ts'

/**
 * Returns a variation with the properties of a patch, as a new revision. When the patch changes nothing, returns the
 * variation itself. The function writes the document of the revision; the caller writes the variation and its config.
 *
 * @throws ApiError `invalid_request` naming each property with an invalid reference.
 */
export async function changedVariation(
  context: Pick<WriteContext, 'tx' | 'readClock'>,
  { keys, mode }: VariedConfig<VariationKeys>,
  before: AIConfigVariation,
  body: VariationPatch,
): Promise<AIConfigVariation> {
  const { tx } = context
  const now = context.readClock()
  const check = await checkVariation(tx, { keys, mode }, before, body)
  if (check.errors.length > 0) fail('invalid_request', { errors: check.errors })
  const { judgeConfiguration, toolKeys: _, published, ...settings } = body
  const state = settings.state ?? (published ? 'published' : undefined)
  const update = { ...settings, state, tools: check.tools, judges: judgeConfiguration?.judges }
  const after = withState(withProperties(before, update), before, now)
  if (jsonEqual(before, after)) return before
  check.requireUnchanged()
  const replacement = { keys, before, after: withComment(after, body) }
  return nextRevision(tx, aiConfigVariationRevisions, replacement, now)
}

/**
 * Replaces the comment of a variation by the comment of the request, if it has one. A comment belongs to the version
 * with which it was sent, not to later versions.
 */
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
