import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { type Segment, segments } from '../../models/segments/segment.ts'
import { type DecodedBody, patchBody } from '../../operation/body.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { actionsByPath } from '../../operation/patch-actions.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { withClauseIds } from '../../rules/targeting/clause.ts'
import type { Writer } from '../../storage/writer.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import { requireComment } from '../environments/require-comment.ts'
import { validateNewClauses } from '../targeting/new-clause.ts'
import type { StoredSegment } from './big/big-segment.ts'
import { applySegmentInstructions } from './changes/apply-segment-instructions.ts'
import { editKeys } from './changes/edit-keys.ts'
import { saveSegment } from './changes/save-segment.ts'
import { segmentInstruction } from './changes/segment-instruction.ts'
import { undoSegments } from './changes/undo-segments.ts'
import { emptyInBigSegment } from './changes/validate-segment.ts'
import { loadTargetingFlags } from './load-targeting-flags.ts'
import { revisionAt, segmentAt } from './segment-at.ts'
import { type RuleRequest, segmentResponse, segmentSettings, serializeSegment } from './segment-schema.ts'
import { emptyTargetLists } from './target-lists.ts'

const patchable = [
  '/name',
  '/description',
  '/tags/**',
  '/rules/**',
  '/included/**',
  '/excluded/**',
  '/includedContexts/**',
  '/excludedContexts/**',
  '/_external',
  '/_externalLink',
]

const patch = patchBody(actionsByPath(patchable, segments), segmentInstruction)

type Patch = DecodedBody<typeof patch>

export const patchSegment = operation({
  id: 'patchSegment',
  undo: [undoOf(segments, undoSegments)],
  summary: 'Update a segment',
  method: 'PATCH',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}',
  query: v.object(bypassQuery),
  body: patch,
  success: { status: 200, body: segmentResponse },
  errors: ['invalid_request', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  access: {
    // Expiry dates have an operation of their own.
    action: segments.changeActions.filter((action) => action !== 'updateExpiringTargets'),
    resource: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const { tx, fail } = context
    const [segment, environmentDocument] = await Promise.all([tx.get(segments, params), tx.get(environments, params)])
    const before = segment ?? fail('not_found')
    const environment = environmentDocument ?? fail('not_found')
    context.requireRevision(revisionAt(before, context))
    const current = segmentAt(before, context)
    const edited =
      body.format === 'semantic'
        ? await applySemanticPatch(context, { keys: params, segment: current }, body)
        : await applyJsonPatch(context, { keys: params, segment: current }, body)
    const after = await saveSegment(context, { keys: params, before, after: edited })
    if (after !== before) requireComment(environment, body.comment)
    context.setRevision(revisionAt(after, context))
    return serializeSegment(context, params, after)
  },
})

async function applyJsonPatch(
  context: Context<Writer, 'invalid_request'>,
  { keys, segment: before }: StoredSegment,
  body: Extract<Patch, { format: 'json-patch' }>,
): Promise<Segment> {
  const host = context.useHost()
  if (before.unbounded) refuseListedKeys(context, body)
  const patched = await patchDocument(before, body, segmentSettings, {
    shown: async () => serializeSegment(context, keys, before, await loadTargetingFlags(context, keys)),
  })
  const errors = validateNewClauses(before.rules, patched.rules, 'rules')
  if (errors.length > 0) context.fail('invalid_request', { errors })
  const withIds = (rule: RuleRequest) => ({
    ...rule,
    _id: rule._id ?? host.newId(),
    clauses: withClauseIds(rule.clauses, host.newId),
  })
  return { ...patched, rules: patched.rules.map(withIds) }
}

/** Refuses a patch of the lists of a big segment. These lists are always empty, so the patch would have no effect. */
function refuseListedKeys(
  { fail }: Context<Writer, 'invalid_request'>,
  { operations }: Extract<Patch, { format: 'json-patch' }>,
): void {
  const changed = operations.filter(({ op }) => op !== 'test').map(({ path }) => path.tokens[0] ?? '')
  const attribute = changed.find((name) => name in emptyTargetLists)
  if (attribute !== undefined) fail('invalid_request', { errors: [{ attribute, reason: emptyInBigSegment }] })
}

async function applySemanticPatch(
  context: Context<Writer, 'invalid_request'>,
  { keys, segment: before }: StoredSegment,
  { environmentKey, instructions }: Extract<Patch, { format: 'semantic' }>,
): Promise<Segment> {
  if (environmentKey !== keys.environmentKey) {
    context.fail('invalid_request', {
      errors: [{ attribute: 'environmentKey', reason: 'must be the environmentKey of the path' }],
    })
  }
  return editKeys(context, keys, applySegmentInstructions(context, before, instructions))
}
