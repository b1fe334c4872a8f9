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
 * Who acts by a mandate, with the rights that are left of it now.
 *
 * @param id names the caller in logs.
 * @returns undefined where the member is gone.
 */
export async function callerBehind(
  storage: Pick<AccountStorage, 'getMany'>,
  { memberId, personal, grants }: Mandate,
  id: string,
): Promise<Caller | undefined> {
  const bearer: Bearer = { id, tokenId: undefined, memberId, personal, grants }
  let seen = around([], [])
  // Each names the next: a member their teams, and they their roles.
  for (let asked = ''; ; ) {
    const ids = idsAround(bearer, seen)
    const named = JSON.stringify(ids)
    if (named === asked) return callerOf(bearer, seen)
    asked = named
    seen = around(ids, await storage.getMany(ids))
  }
}
