import type { Caller } from '../../../operation/caller.ts'

/** Who acts on a request. */
export interface Person {
  /** The same for everything that one person does, also by service tokens that they made. */
  readonly person: string
  readonly memberId?: string
  readonly serviceTokenId?: string
}

/**
 * The person behind a call. A service token counts as the member who made it: otherwise whoever may make tokens could
 * review their own request with one of them, or approve a request twice.
 */
export function personBehind({ id, memberId, tokenId, standing }: Caller): Person {
  const person = memberId ?? id
  if (tokenId !== undefined && !standing) return { person, serviceTokenId: tokenId }
  return { person, ...(memberId === undefined ? {} : { memberId }) }
}
