import type { Host } from '../../operation/context.ts'
import { ApiError } from '../../operation/errors.ts'
import type { Writer } from '../../storage/writer.ts'
import { issueToken, newTokenValue } from '../tokens/issue-token.ts'

/**
 * Rejects a string that cannot be the value of a token that the host provides.
 *
 * @throws ApiError `invalid_request`.
 */
export function checkTokenValue(token: string | undefined): void {
  if (token === undefined || /^[\x21-\x7e]{16,512}$/.test(token)) return
  const reason = 'must be 16 to 512 printable ASCII characters without spaces'
  throw new ApiError('invalid_request', { errors: [{ attribute: 'token', reason }] })
}

/** The member for whom a token is issued, and its value. */
export interface FirstToken {
  readonly memberId: string
  /** Value of the token; generated when undefined. */
  readonly value: string | undefined
}

/** Writes the first administrator's token of an account and returns its value. */
export async function issueFirstToken(tx: Writer, host: Host, { memberId, value }: FirstToken): Promise<string> {
  const token = value ?? newTokenValue(host)
  await issueToken(tx, host, {
    now: host.now(),
    value: token,
    request: {
      name: 'Administrator',
      description: 'Created with the account',
      ownerId: memberId,
      memberId,
      serviceToken: false,
      grant: { role: 'admin' },
      ceiling: [],
      defaultApiVersion: 20240415,
    },
  })
  return token
}
