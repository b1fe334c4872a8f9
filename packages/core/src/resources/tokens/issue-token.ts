import { credentials, type Token, tokens } from '../../models/tokens/token.ts'
import type { Host } from '../../operation/context.ts'
import type { Writer } from '../../storage/writer.ts'

/**
 * Generates the value of a token: `api-` and 32 random bytes in hex
 * (docs/decisions/0002-decide-access-by-policy.md#d16-tokens).
 */
export function newTokenValue(host: Host): string {
  return `api-${host.randomHex(32)}`
}

export type TokenRequest = Omit<Token, 'version' | 'id' | 'hash' | 'lastFour' | 'createdAt' | 'lastModified'>

/** A token with its value, and the time at which it is issued. */
export interface TokenIssue {
  readonly now: number
  /** The secret. Only its hash and last four characters are stored. */
  readonly value: string
  readonly request: TokenRequest
}

/** Writes a new token and the credential of its value. */
export async function issueToken(tx: Writer, host: Host, { now, value, request }: TokenIssue): Promise<Token> {
  const id = host.newId()
  const hash = await host.sha256(value)
  tx.insert(credentials, { hash }, { tokenId: id, expiresAt: undefined })
  return tx.insert(
    tokens,
    { id },
    {
      ...request,
      id,
      hash,
      lastFour: value.slice(-4),
      createdAt: now,
      lastModified: now,
    },
  )
}
