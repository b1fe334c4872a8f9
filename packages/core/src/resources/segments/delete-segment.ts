import { operation } from '../../operation/operation.ts'
import type { Listed, ListOptions, Row } from '../../storage/unit-of-work.ts'
import { aiConfigTargetings } from '../ai-configs/ai-config-targeting.ts'
import { rememberGeneration } from './big-segment.ts'
import { segments } from './segment.ts'
import { targetingFlags } from './targeting-flags.ts'

/** Enough to show where to look. */
const mostNamed = 5

export const deleteSegment = operation({
  id: 'deleteSegment',
  summary: 'Delete a segment that no flag, no AI config and no other segment refers to',
  method: 'DELETE',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}',
  success: { status: 204 },
  errors: ['not_found', 'optimistic_locking_error'],
  access: { action: 'deleteSegment', resource: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}' },
  async handle(context, { params }) {
    const { tx, fail } = context
    const segment = (await tx.get(segments, params)) ?? fail('not_found')
    context.requireRevision(segment.version)
    const naming: ListOptions = {
      where: [{ op: 'equals', field: 'segments', value: params.segmentKey }],
      limit: mostNamed,
    }
    const [flagKeys, aiConfigs, others] = await Promise.all([
      tx.pageMembers(targetingFlags, params, { limit: mostNamed }),
      tx.listRows(aiConfigTargetings, params, naming),
      tx.listRows(segments, params, naming),
    ])
    const users = { Flags: flagKeys, 'AI configs': keysOf(aiConfigs), Segments: keysOf(others) }
    for (const [kind, keys] of Object.entries(users)) {
      if (keys.length === 0) continue
      fail('optimistic_locking_error', { message: `${kind} refer to this segment: ${keys.join(', ')}` })
    }
    await rememberGeneration(tx, params, segment)
    tx.remove(segments, params, segment)
    tx.clear(segments.address.address(params))
  },
})

function keysOf({ items }: Listed<Row>): readonly string[] {
  return items.map(({ key }) => key)
}
