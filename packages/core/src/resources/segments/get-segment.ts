import { flags } from '../../models/flags/flag.ts'
import { type SegmentKeys, segments } from '../../models/segments/segment.ts'
import { targetingFlags } from '../../models/segments/targeting-flags.ts'
import type { ReadContext } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { revisionAt } from './segment-at.ts'
import { presentSegment, presentTargetingFlag, segmentWire, type TargetingFlag } from './segment-wire.ts'

/** Maximum number of flags listed in a response. */
const mostFlags = 1_000

export const getSegment = operation({
  id: 'getSegment',
  summary: 'Get a segment with the flags that target it',
  method: 'GET',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}',
  success: { status: 200, body: segmentWire },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}', masked: true },
  async handle(context, { params }) {
    const [segment, flagKeys] = await Promise.all([
      context.tx.get(segments, params),
      context.tx.pageKeys(targetingFlags, params, { limit: mostFlags }),
    ])
    if (!segment) return context.fail('not_found')
    // The names of flags and the keys of a big segment can change without a change of the document.
    context.revision(revisionAt(segment, context), segment.holds > 0 || segment.unbounded)
    const named = flagKeys.length === 0 ? [] : await flagsNamed(context, params, flagKeys)
    return presentSegment(context, params, segment, named)
  },
})

async function flagsNamed(
  { tx }: Pick<ReadContext, 'tx'>,
  keys: SegmentKeys,
  flagKeys: readonly string[],
): Promise<TargetingFlag[]> {
  const { projectKey } = keys
  const found = await tx.getMany(
    flags,
    flagKeys.map((flagKey) => ({ projectKey, flagKey })),
  )
  return found.filter((flag) => flag !== undefined).map((flag) => presentTargetingFlag(keys, flag))
}
