import type { Caller } from '../../operation/caller.ts'
import type { Subject } from '../../rules/sentences/sentence.ts'

/** The maintainer of a resource: a member or a team, never both. A resource can be without a maintainer. */
export interface MaintainerReference {
  readonly maintainerId?: string
  readonly maintainerTeamKey?: string
}

/** Returns a new resource with its maintainer, by default the member who creates it. */
export function withDefaultMaintainer<T extends MaintainerReference>(
  resource: T,
  { memberId }: Pick<Caller, 'memberId'>,
): T {
  const hasMaintainer = resource.maintainerId !== undefined || resource.maintainerTeamKey !== undefined
  return hasMaintainer || memberId === undefined ? resource : { ...resource, maintainerId: memberId }
}

/**
 * Returns a resource with the maintainer of a request, if there is one. A team replaces a member, and a member replaces
 * a team.
 */
export function withMaintainer<T extends MaintainerReference>(
  resource: T,
  { maintainerId, maintainerTeamKey }: MaintainerReference,
): T {
  if (maintainerId !== undefined) return { ...resource, maintainerId, maintainerTeamKey: undefined }
  if (maintainerTeamKey !== undefined) return { ...resource, maintainerTeamKey, maintainerId: undefined }
  return resource
}

/** Sentences about a change of the maintainer. */
export const maintainerSentences = {
  maintainerId: (
    _before: MaintainerReference,
    { maintainerId, maintainerTeamKey }: MaintainerReference,
    { it, nameOf }: Subject,
  ) => {
    if (maintainerId !== undefined) return `made ${nameOf('member', maintainerId)} the maintainer of ${it}`
    return maintainerTeamKey === undefined ? `removed the maintainer of ${it}` : []
  },
  maintainerTeamKey: (
    _before: MaintainerReference,
    { maintainerId, maintainerTeamKey }: MaintainerReference,
    { it, nameOf }: Subject,
  ) => {
    if (maintainerTeamKey !== undefined)
      return `made the team ${nameOf('team', maintainerTeamKey)} the maintainer of ${it}`
    return maintainerId === undefined ? `removed the maintainer of ${it}` : []
  },
} as const

/** The form in which responses show a maintainer as `_maintainer`. */
export const shownMaintainer = {
  maintainerId: (id: string) => ({ _maintainer: { kind: 'member', _id: id } }),
  maintainerTeamKey: (key: string) => ({ _maintainer: { kind: 'team', key } }),
} as const
