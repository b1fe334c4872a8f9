import * as v from 'valibot'
import type { Member } from '../../models/members/member.ts'
import { links, list } from '../../operation/schema.ts'
import { memberSummaryResponse, serializeMemberSummary } from '../members/member-schema.ts'

/** Schema of the followers of a flag in an environment. */
export const followersResponse = v.object({ _links: links(), items: list(memberSummaryResponse) })

/** Schema of one flag in a list of flags, with its followers. */
export const followersOfFlagResponse = v.object({ flagKey: v.string(), followers: list(memberSummaryResponse) })

/** Serializes followers in the order of their ids, without those who are not among the members. */
export function serializeFollowers(
  memberIds: readonly string[],
  found: ReadonlyMap<string, Member>,
): v.InferOutput<typeof memberSummaryResponse>[] {
  return memberIds.flatMap((id) => {
    const member = found.get(id)
    return member ? [serializeMemberSummary(member)] : []
  })
}
