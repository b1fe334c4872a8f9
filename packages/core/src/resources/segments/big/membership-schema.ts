import * as v from 'valibot'
import { bigExcluded, bigIncluded, type SegmentKeys } from '../../../models/segments/segment.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { list } from '../../../operation/schema.ts'
import { targetKey } from '../segment-schema.ts'
import { countKeys, maxKeysPerRequest, type SideEdit } from '../target-lists.ts'

const sideRequest = v.pipe(
  v.strictObject({ add: v.optional(list(targetKey()), []), remove: v.optional(list(targetKey()), []) }),
  v.check(({ add, remove }) => {
    const added = new Set(add)
    return !remove.some((key) => added.has(key))
  }, 'must not add and remove the same key'),
)

/** Keys to be added to and removed from a big segment. */
export const membershipRequest = v.pipe(
  v.strictObject({ included: v.optional(sideRequest, {}), excluded: v.optional(sideRequest, {}) }),
  v.transform(({ included, excluded }): readonly SideEdit[] => [
    { side: 'included', adds: true, keys: included.add },
    { side: 'included', adds: false, keys: included.remove },
    { side: 'excluded', adds: true, keys: excluded.add },
    { side: 'excluded', adds: false, keys: excluded.remove },
  ]),
  v.check((edits) => countKeys(edits) <= maxKeysPerRequest, `must name at most ${maxKeysPerRequest} keys together`),
)

/** Membership of a key in a big segment. The reference API uses the property `userKey` for every context kind. */
export const membershipResponse = v.object({ userKey: v.string(), included: v.boolean(), excluded: v.boolean() })

export async function serializeMembership(
  { tx }: Pick<ReadContext, 'tx'>,
  keys: SegmentKeys,
  userKey: string,
): Promise<v.InferOutput<typeof membershipResponse>> {
  const [included, excluded] = await Promise.all([
    tx.hasKey(bigIncluded, keys, userKey),
    tx.hasKey(bigExcluded, keys, userKey),
  ])
  return { userKey, included, excluded }
}
