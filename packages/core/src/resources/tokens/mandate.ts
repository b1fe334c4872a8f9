import type { Caller, Grant } from '../../operation/caller.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { around, type Bearer, callerOf, idsAround } from './bearer.ts'
import { limitsBesidesMember } from './ceiling.ts'

/** What is kept of a caller so that a thing which they leave to be done later is done as theirs. */
export interface Mandate {
  readonly memberId?: string
  /** Whether the member must be there still, and may do no more than they may do then. */
  readonly personal: boolean
  /** What the caller was held to besides: one layer each. */
  readonly grants: readonly Grant[]
}

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
