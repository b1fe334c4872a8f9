import type * as v from 'valibot'
import { members } from '../../models/members/member.ts'
import { maintainersOf } from '../../models/teams/permission.ts'
import type { Team } from '../../models/teams/team.ts'
import type { ReadContext } from '../../operation/context.ts'
import { type PageQuery, pageLinks } from '../../operation/link.ts'
import { collection } from '../../operation/schema.ts'
import { memberSummaryResponse, serializeMemberSummary } from '../members/member-schema.ts'

export const teamMaintainersResponse = collection(memberSummaryResponse)

/** The requested page of a list, and the URL of the request. */
export interface PageRequest {
  readonly page: PageQuery
  /** URL of that page, for the links. */
  readonly url: string
}

/** Serializes a page of the maintainers of a team, in the order in which they were added. */
export async function serializeTeamMaintainers(
  { tx }: Pick<ReadContext, 'tx'>,
  team: Team,
  { page, url }: PageRequest,
): Promise<v.InferOutput<typeof teamMaintainersResponse>> {
  const ids = maintainersOf(team)
  const pageIds = ids.slice(page.offset, page.offset + page.limit)
  const maintainers = await tx.getMany(
    members,
    pageIds.map((memberId) => ({ memberId })),
  )
  return {
    totalCount: ids.length,
    items: maintainers.flatMap((member) => (member ? [serializeMemberSummary(member)] : [])),
    _links: pageLinks(url, page, ids.length),
  }
}
