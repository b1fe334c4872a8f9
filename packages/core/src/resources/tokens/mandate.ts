import type { Mandate } from '../../models/tokens/mandate.ts'
import type { Caller } from '../../operation/caller.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { loadCaller } from './bearer.ts'
import { ownLimits } from './ceiling.ts'

export function mandateOf(caller: Caller): Mandate {
  const { memberId, standing, asserted } = caller
  return {
    ...(memberId === undefined ? {} : { memberId }),
    personal: standing !== undefined || asserted === true,
    grants: ownLimits(caller),
    ...(asserted ? { asserted } : {}),
  }
}

/**
 * Returns the caller with those rights of a mandate that its author still has.
 *
 * @param id id of the caller in logs.
 * @returns undefined when the member was deleted.
 */
export function callerOfMandate(
  storage: Pick<AccountStorage, 'getMany'>,
  mandate: Mandate,
  id: string,
): Promise<Caller | undefined> {
  const { memberId, personal, grants, asserted } = mandate
  return loadCaller(storage, { id, tokenId: undefined, memberId, personal, grants, asserted })
}
