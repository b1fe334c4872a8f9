import type { Environment } from '../../models/environments/environment.ts'
import { fail } from '../../operation/errors.ts'

/**
 * Rejects a change without a comment in an environment that requires comments.
 *
 * @param comment comment of the caller on the change.
 */
export function requireComment(environment: Environment, comment: string | undefined): void {
  if (!environment.requireComments || comment?.trim()) return
  const reason = `must be present: the environment ${environment.key} requires a comment for every change`
  fail('invalid_request', { errors: [{ attribute: 'comment', reason }] })
}
