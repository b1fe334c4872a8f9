import * as v from 'valibot'
import type { MaintainerReference } from '../../models/maintainers/maintainer.ts'
import { members } from '../../models/members/member.ts'
import { teams } from '../../models/teams/team.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { key, links } from '../../operation/schema.ts'
import { memberSummaryResponse, serializeMemberSummary } from '../members/member-schema.ts'

/** Properties of a request that set the maintainer of a resource. */
export const maintainerRequest = { maintainerId: v.optional(v.string()), maintainerTeamKey: v.optional(key()) }

/** `_maintainer` in a response. `kind` distinguishes members and teams. */
export const maintainerResponse = v.variant('kind', [
  v.object({ kind: v.literal('member'), ...memberSummaryResponse.entries }),
  v.object({ kind: v.literal('team'), _links: links(), key: v.string(), name: v.string() }),
])

/** Serializes `_maintainer` of a resource. Omitted when there is no maintainer, or it was deleted. */
export async function serializeMaintainer(
  { tx }: ReadContext,
  { maintainerId, maintainerTeamKey }: MaintainerReference,
): Promise<{ readonly _maintainer?: v.InferOutput<typeof maintainerResponse> }> {
  if (maintainerId !== undefined) {
    const member = await tx.get(members, { memberId: maintainerId })
    return member ? { _maintainer: { kind: 'member', ...serializeMemberSummary(member) } } : {}
  }
  if (maintainerTeamKey === undefined) return {}
  const team = await tx.get(teams, { teamKey: maintainerTeamKey })
  if (!team) return {}
  const _links = { self: linkTo(path`/api/v2/teams/${team.key}`) }
  return { _maintainer: { kind: 'team', _links, key: team.key, name: team.name } }
}
