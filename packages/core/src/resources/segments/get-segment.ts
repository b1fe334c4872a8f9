import { flags } from '../../models/flags/flag.ts'
import { type SegmentKeys, segments } from '../../models/segments/segment.ts'
import { targetingFlags } from '../../models/segments/targeting-flags.ts'
import type { ReadContext } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { revisionAt } from './segment-at.ts'
import { segmentResponse, serializeSegment, serializeTargetingFlag, type TargetingFlag } from './segment-schema.ts'

/** Maximum number of flags listed in a response. */
const maxListedFlags = 1_000

export const getSegment = operation({
  id: 'getSegment',
  summary: 'Get a segment with the flags that target it',
  method: 'GET',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}',
  success: { status: 200, body: segmentResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}', masked: true },
  async handle(context, { params }) {
    const [segment, flagKeys] = await Promise.all([
      context.tx.get(segments, params),
      context.tx.pageKeys(targetingFlags, params, { limit: maxListedFlags }),
    ])
    if (!segment) return context.fail('not_found')
    // The names of flags and the keys of a big segment can change without a change of the document.
    context.setRevision(revisionAt(segment, context), segment.holds > 0 || segment.unbounded)
    const targetingFlagList = flagKeys.length === 0 ? [] : await loadTargetingFlags(context, params, flagKeys)
    return serializeSegment(context, params, segment, targetingFlagList)
  },
})

async function loadTargetingFlags(
  { tx }: Pick<ReadContext, 'tx'>,
  keys: SegmentKeys,
  flagKeys: readonly string[],
): Promise<TargetingFlag[]> {
  const { projectKey } = keys
  const documents = await tx.getMany(
    flags,
    flagKeys.map((flagKey) => ({ projectKey, flagKey })),
  )
  return documents.filter((flag) => flag !== undefined).map((flag) => serializeTargetingFlag(keys, flag))
}
