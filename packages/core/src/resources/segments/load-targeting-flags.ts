import { flags } from '../../models/flags/flag.ts'
import type { SegmentKeys } from '../../models/segments/segment.ts'
import { targetingFlags } from '../../models/segments/targeting-flags.ts'
import type { ReadContext } from '../../operation/context.ts'
import { serializeTargetingFlag, type TargetingFlag } from './segment-schema.ts'

/** Maximum number of flags listed in a response. */
const maxListedFlags = 1_000

/** Returns the flags that target a segment, for its response. */
export async function loadTargetingFlags(
  { tx }: Pick<ReadContext, 'tx'>,
  keys: SegmentKeys,
): Promise<readonly TargetingFlag[]> {
  const { projectKey } = keys
  const flagKeys = await tx.pageKeys(targetingFlags, keys, { limit: maxListedFlags })
  if (flagKeys.length === 0) return []
  const documents = await tx.getMany(
    flags,
    flagKeys.map((flagKey) => ({ projectKey, flagKey })),
  )
  return documents.filter((flag) => flag !== undefined).map((flag) => serializeTargetingFlag(keys, flag))
}
