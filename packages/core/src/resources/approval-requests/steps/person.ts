import type { Caller } from '../../../operation/caller.ts'

/** The person who acts on a request. */
export interface Person {
  /** Identifies the person. It is the same for all actions of one person, including those of their service tokens. */
  readonly person: string
  readonly memberId?: string
  readonly serviceTokenId?: string
}

/**
 * Returns the person of a call. A service token counts as the member who created it. Otherwise a caller who may create
 * tokens could review their own request with a token, or approve a request twice.
 */
export function personOf({ id, memberId, tokenId, standing }: Caller): Person {
  const person = memberId ?? id
  if (tokenId !== undefined && !standing) return { person, serviceTokenId: tokenId }
  return { person, ...(memberId === undefined ? {} : { memberId }) }
}
