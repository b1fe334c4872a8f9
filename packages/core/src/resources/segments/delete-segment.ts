import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import type { Listed, ListOptions, Row } from '../../storage/reader.ts'
import { aiConfigTargetings } from '../ai-configs/ai-config-targeting.ts'
import { bypassQuery } from '../environments/approval-pass-wire.ts'
import { environments } from '../environments/environment.ts'
import { forgetSegment } from '../views/view-link.ts'
import { rememberGeneration } from './big-segment.ts'
import { segmentActions } from './guarded-segment.ts'
import { importTurns, turnOf } from './import-turn.ts'
import { segments } from './segment.ts'
import { revisionAt } from './segment-at.ts'
import { targetingFlags } from './targeting-flags.ts'

/** Enough to show where to look. */
const mostNamed = 5

export const deleteSegment = operation({
  id: 'deleteSegment',
  summary: 'Delete a segment that no flag, no AI config and no other segment refers to',
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
    forgetSegment(tx, params)
  },
})

function keysOf({ items }: Listed<Row>): readonly string[] {
  return items.map(({ key }) => key)
}
