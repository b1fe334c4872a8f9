import type { Host } from '../../operation/context.ts'
import { ApiError } from '../../operation/errors.ts'
import type { Writer } from '../../storage/writer.ts'
import { issueToken, newTokenValue } from '../tokens/issue-token.ts'

/**
 * Refuses what cannot be the value of a token that a host brings.
 *
 * @throws ApiError `invalid_request`.
 */
export function checkTokenValue(token: string | undefined): void {
  if (token === undefined || /^[\x21-\x7e]{16,512}$/.test(token)) return
  const reason = 'must be 16 to 512 printable ASCII characters without spaces'
  throw new ApiError('invalid_request', { errors: [{ attribute: 'token', reason }] })
}

/**
 * Writes the administrator's token with which an account is entered for the first time, and returns its value.
 *
 * @param given its value; made when undefined.
 */
export async function issueFirstToken(
  tx: Writer,
  host: Host,
  memberId: string,
  given: string | undefined,
): Promise<string> {
  const token = given ?? newTokenValue(host)
  await issueToken(tx, host, host.now(), token, {
    name: 'Administrator',
    description: 'Made with the account',
    ownerId: memberId,
    memberId,
    serviceToken: false,
    grant: { role: 'admin' },
    ceiling: [],
    defaultApiVersion: 20240415,
  })
  return token
}
