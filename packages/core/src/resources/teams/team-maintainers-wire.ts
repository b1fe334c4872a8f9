import type * as v from 'valibot'
import { members } from '../../models/members/member.ts'
import { maintainersOf } from '../../models/teams/permission.ts'
import type { Team } from '../../models/teams/team.ts'
import type { ReadContext } from '../../operation/context.ts'
import { type PageQuery, pageLinks } from '../../operation/link.ts'
import { collection } from '../../operation/schema.ts'
import { memberSummaryWire, presentMemberSummary } from '../members/member-wire.ts'

export const teamMaintainersWire = collection(memberSummaryWire)

/**
 * Serializes a page of the maintainers of a team, in the order in which they were added.
 *
 * @param url URL of that page, for the links.
 */
export async function presentTeamMaintainers(
  { tx }: Pick<ReadContext, 'tx'>,
  team: Team,
  page: PageQuery,
  url: string,
): Promise<v.InferOutput<typeof teamMaintainersWire>> {
  const ids = maintainersOf(team)
  const shown = ids.slice(page.offset, page.offset + page.limit)
  const found = await tx.getMany(
    members,
    shown.map((memberId) => ({ memberId })),
  )
  return {
    totalCount: ids.length,
    items: found.flatMap((member) => (member ? [presentMemberSummary(member)] : [])),
    _links: pageLinks(url, page, ids.length),
  }
}
