import * as v from 'valibot'
import { aiConfigTargetings } from '../../models/ai-configs/ai-config-targeting.ts'
import { environments } from '../../models/environments/environment.ts'
import { segmentRemovalFollowUps } from '../../models/follow-ups.ts'
import { segments } from '../../models/segments/segment.ts'
import { targetingFlags } from '../../models/segments/targeting-flags.ts'
import { operation } from '../../operation/operation.ts'
import type { Listed, ListOptions, Row } from '../../storage/reader.ts'
import { bypassQuery } from '../environments/approval-pass-wire.ts'
import { rememberGeneration } from './big/big-segment.ts'
import { segmentActions } from './changes/guarded-segment.ts'
import { importTurns, turnOf } from './imports/import-turn.ts'
import { revisionAt } from './segment-at.ts'

/** Enough references to show the caller where to look. */
const mostNamed = 5

export const deleteSegment = operation({
  id: 'deleteSegment',
  summary: 'Delete a segment that no flag, AI config or other segment refers to',
  method: 'DELETE',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}',
  query: v.object(bypassQuery),
  success: { status: 204 },
  errors: ['invalid_request', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  access: { action: 'deleteSegment', resource: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const [found, place, turn] = await Promise.all([
      tx.get(segments, params),
      tx.get(environments, params),
      tx.get(importTurns, turnOf(params)),
    ])
    const segment = found ?? fail('not_found')
    const environment = place ?? fail('not_found')
    context.requireRevision(revisionAt(segment, context))
    const naming: ListOptions = {
      where: [{ op: 'equals', field: 'segments', value: params.segmentKey }],
      limit: mostNamed,
    }
    const [flagKeys, aiConfigs, others] = await Promise.all([
      tx.pageKeys(targetingFlags, params, { limit: mostNamed }),
      tx.listRows(aiConfigTargetings, params, naming),
      tx.listRows(segments, params, naming),
    ])
    const users = { Flags: flagKeys, 'AI configs': keysOf(aiConfigs), Segments: keysOf(others) }
    for (const [kind, keys] of Object.entries(users)) {
      if (keys.length === 0) continue
      fail('optimistic_locking_error', { message: `${kind} refer to this segment: ${keys.join(', ')}` })
    }
    const besides = await segmentActions(tx, params, environment, segment, undefined, query)
    for (const action of besides) await context.demand(action, segments, params, segment)
    await rememberGeneration(tx, params, segment)
    tx.remove(segments, params, segment)
    if (turn?.segmentKey === params.segmentKey) tx.discard(importTurns, turnOf(params))
    tx.clear(segments.address.address(params))
    for (const followUp of segmentRemovalFollowUps) followUp(tx, params)
  },
})

function keysOf({ items }: Listed<Row>): readonly string[] {
  return items.map(({ key }) => key)
}
