import type { Caller } from '../../operation/caller.ts'

/** Who looks after a thing: a member or a team, never both, or nobody. */
export interface Maintained {
  readonly maintainerId?: string
  readonly maintainerTeamKey?: string
}

/** A new thing with its maintainer: the member who makes it where none is given. */
export function maintainedByMaker<T extends Maintained>(thing: T, { memberId }: Pick<Caller, 'memberId'>): T {
  const given = thing.maintainerId !== undefined || thing.maintainerTeamKey !== undefined
  return given || memberId === undefined ? thing : { ...thing, maintainerId: memberId }
}

/** A thing with the maintainer that a caller gave it, if they did: a team takes the place of a member, and a member of a team. */
export function maintainedBy<T extends Maintained>(thing: T, { maintainerId, maintainerTeamKey }: Maintained): T {
  if (maintainerId !== undefined) return { ...thing, maintainerId, maintainerTeamKey: undefined }
  if (maintainerTeamKey !== undefined) return { ...thing, maintainerTeamKey, maintainerId: undefined }
  return thing
}
