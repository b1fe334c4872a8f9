import type { Mandate } from '../../models/tokens/mandate.ts'
import type { Caller } from '../../operation/caller.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { around, type Bearer, callerOf, idsAround } from './bearer.ts'
import { limitsBesidesMember } from './ceiling.ts'

export function mandateOf(caller: Caller): Mandate {
  const { memberId, standing } = caller
  return {
    ...(memberId === undefined ? {} : { memberId }),
    personal: standing !== undefined,
    grants: limitsBesidesMember(caller),
  }
}

/**
 * Returns the caller of a mandate with the rights that remain.
 *
 * @param id id of the caller in logs.
 * @returns undefined when the member was deleted.
 */
export async function callerBehind(
  storage: Pick<AccountStorage, 'getMany'>,
  { memberId, personal, grants }: Mandate,
  id: string,
): Promise<Caller | undefined> {
  const bearer: Bearer = { id, tokenId: undefined, memberId, personal, grants }
  let seen = around([], [])
  // Each read refers to the next documents: a member to their teams, and teams to their roles.
  for (let asked = ''; ; ) {
    const ids = idsAround(bearer, seen)
    const named = JSON.stringify(ids)
    if (named === asked) return callerOf(bearer, seen)
    asked = named
    seen = around(ids, await storage.getMany(ids))
  }
}
