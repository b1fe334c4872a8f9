import type { Caller } from '../../operation/caller.ts'

/** The maintainer of a resource: a member, a team, or none; never both. */
export interface Maintained {
  readonly maintainerId?: string
  readonly maintainerTeamKey?: string
}

/** Returns a new resource with its maintainer, by default the member who creates it. */
export function maintainedByMaker<T extends Maintained>(thing: T, { memberId }: Pick<Caller, 'memberId'>): T {
  const given = thing.maintainerId !== undefined || thing.maintainerTeamKey !== undefined
  return given || memberId === undefined ? thing : { ...thing, maintainerId: memberId }
}

/**
 * Returns a resource with the maintainer of a request, if there is one. A team replaces a member, and a member replaces
 * a team.
 */
export function maintainedBy<T extends Maintained>(thing: T, { maintainerId, maintainerTeamKey }: Maintained): T {
  if (maintainerId !== undefined) return { ...thing, maintainerId, maintainerTeamKey: undefined }
  if (maintainerTeamKey !== undefined) return { ...thing, maintainerTeamKey, maintainerId: undefined }
  return thing
}
