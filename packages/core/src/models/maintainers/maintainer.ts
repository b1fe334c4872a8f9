import type { Caller } from '../../operation/caller.ts'

/** The maintainer of a resource: a member, a team, or none; never both. */
export interface Maintained {
  readonly maintainerId?: string
  readonly maintainerTeamKey?: string
}

/** Returns a new resource with its maintainer, by default the member who creates it. */
export function withDefaultMaintainer<T extends Maintained>(resource: T, { memberId }: Pick<Caller, 'memberId'>): T {
  const hasMaintainer = resource.maintainerId !== undefined || resource.maintainerTeamKey !== undefined
  return hasMaintainer || memberId === undefined ? resource : { ...resource, maintainerId: memberId }
}

/**
 * Returns a resource with the maintainer of a request, if there is one. A team replaces a member, and a member replaces
 * a team.
 */
export function withMaintainer<T extends Maintained>(resource: T, { maintainerId, maintainerTeamKey }: Maintained): T {
  if (maintainerId !== undefined) return { ...resource, maintainerId, maintainerTeamKey: undefined }
  if (maintainerTeamKey !== undefined) return { ...resource, maintainerTeamKey, maintainerId: undefined }
  return resource
}
