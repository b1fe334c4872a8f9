import { type DecodedBody, patchBody } from '../../operation/body.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { parse } from '../../operation/schema.ts'
import { identified } from '../../rules/targeting/clause.ts'
import type { Writer } from '../../storage/unit-of-work.ts'
import { environments } from '../environments/environment.ts'
import { requireComment } from '../environments/require-comment.ts'
import { editMembership } from './edit-membership.ts'
import { editSegment } from './edit-segment.ts'
import { processImport } from './process-import.ts'
import { saveSegment } from './save-segment.ts'
import { type Segment, type SegmentKeys, segments } from './segment.ts'
import { revisionAt, segmentAt } from './segment-at.ts'
import { segmentInstruction } from './segment-instruction-wire.ts'
import { presentSegment, type RuleRequest, segmentSettings, segmentWire } from './segment-wire.ts'

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

const patch = patchBody(patchable, segmentInstruction)

type Patch = DecodedBody<typeof patch>

export const patchSegment = operation({
  id: 'patchSegment',
  summary: 'Change a segment',
  method: 'PATCH',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}',
  body: patch,
  success: { status: 200, body: segmentWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    // Dates have an operation of their own.
    action: segments.changeActions.filter((action) => action !== 'updateExpiringTargets'),
    resource: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const before = (await context.tx.get(segments, params)) ?? context.fail('not_found')
    context.requireRevision(revisionAt(before, context.now))
    const seen = segmentAt(before, context.now)
    const edited =
      body.format === 'semantic'
        ? await followInstructions(context, params, seen, body)
        : applyJsonPatch(context, seen, body)
    const after = await saveSegment(context, params, before, edited)
    if (after !== before) {
      const environment = (await context.tx.get(environments, params)) ?? context.fail('not_found')
      requireComment(environment, body.comment)
    }
    context.revision(revisionAt(after, context.now))
    return presentSegment(context, params, after)
  },
})

function applyJsonPatch(
  { host }: Context<Writer, 'invalid_request'>,
  before: Segment,
  body: Extract<Patch, { format: 'json-patch' }>,
): Segment {
  const patched = patchDocument(before, body, segmentSettings)
  const withIds = (rule: RuleRequest) => ({
    ...rule,
    _id: rule._id ?? host.newId(),
    clauses: identified(rule.clauses, host.newId),
  })
  return { ...patched, rules: patched.rules.map(withIds) }
}

async function followInstructions(
  context: Context<Writer, 'invalid_request'>,
  keys: SegmentKeys,
  before: Segment,
  { environmentKey, instructions }: Extract<Patch, { format: 'semantic' }>,
): Promise<Segment> {
  const { host, fail } = context
  if (environmentKey !== keys.environmentKey) {
    fail('invalid_request', { errors: [{ attribute: 'environmentKey', reason: 'must be the key in the path' }] })
  }
  const { segment, membership, imported, faults } = editSegment(before, instructions, host.newId)
  if (faults.length > 0) fail('invalid_request', { errors: faults })
  // Each instruction was checked alone; together they can make more tags than there may be.
  const tags = parse(segmentSettings.entries.tags, segment.tags)
  if (!tags.ok) fail('invalid_request', { errors: tags.faults.map(({ reason }) => ({ attribute: 'tags', reason })) })
  return imported ? processImport(context, keys, segment, imported) : editMembership(context, keys, segment, membership)
}
