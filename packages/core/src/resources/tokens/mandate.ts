import type { Mandate } from '../../models/tokens/mandate.ts'
import type { Caller } from '../../operation/caller.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { type Bearer, bearerDocuments, callerOf, idsOfBearer } from './bearer.ts'
import { ownLimits } from './ceiling.ts'

export function mandateOf(caller: Caller): Mandate {
  const { memberId, standing } = caller
  return {
    ...(memberId === undefined ? {} : { memberId }),
    personal: standing !== undefined,
    grants: ownLimits(caller),
  }
}

/**
 * Returns the caller of a mandate with the rights that remain.
 *
 * @param id id of the caller in logs.
 * @returns undefined when the member was deleted.
 */
export async function callerOfMandate(
  storage: Pick<AccountStorage, 'getMany'>,
  { memberId, personal, grants }: Mandate,
  id: string,
): Promise<Caller | undefined> {
  const bearer: Bearer = { id, tokenId: undefined, memberId, personal, grants }
  let known = bearerDocuments([], [])
  // Each read refers to the next documents: a member to their teams, and teams to their roles.
  for (let previousIds = ''; ; ) {
    const ids = idsOfBearer(bearer, known)
    const currentIds = JSON.stringify(ids)
    if (currentIds === previousIds) return callerOf(bearer, known)
    previousIds = currentIds
    known = bearerDocuments(ids, await storage.getMany(ids))
  }
}
