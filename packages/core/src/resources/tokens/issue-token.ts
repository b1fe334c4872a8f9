import type { Grant } from '../../operation/caller.ts'
import type { Host } from '../../operation/context.ts'
import type { Writer } from '../../storage/unit-of-work.ts'
import { credentials, type Token, tokens } from './token.ts'

export interface TokenRequest {
  readonly name: string
  readonly description: string
  readonly memberId: string
  readonly serviceToken: boolean
  readonly grant: Grant
  /** What the creator is held to; the token is held to it as well. */
  readonly ceiling: readonly Grant[]
  readonly defaultApiVersion: number
}

/** A new token's value: `api-` and 32 random bytes in hex (D16). */
export function newTokenValue(host: Host): string {
  return `api-${host.randomHex(32)}`
}

/**
 * Writes a new token and its credential.
 *
 * @param value the secret; only its hash and last four characters are kept.
 */
export async function issueToken(
  tx: Writer,
  host: Host,
  now: number,
  value: string,
  request: TokenRequest,
): Promise<Token> {
  const { ceiling, ...shown } = request
  const id = host.newId()
  const hash = await host.sha256(value)
  tx.insert(credentials, { hash }, {
    tokenId: id,
    memberId: request.serviceToken ? undefined : request.memberId,
    grants: [request.grant, ...ceiling],
    expiresAt: undefined,
  })
  return tx.insert(tokens, { id }, { ...shown, id, hash, lastFour: value.slice(-4), createdAt: now, lastModified: now })
}
