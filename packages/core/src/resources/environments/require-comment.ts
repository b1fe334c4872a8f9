import type { Environment } from '../../models/environments/environment.ts'
import { fail } from '../../operation/errors.ts'

/**
 * Refuses a change without a comment where the environment wants changes commented.
 *
 * @param comment what the caller says about the change.
 */
export function requireComment(environment: Environment, comment: string | undefined): void {
  if (!environment.requireComments || comment?.trim()) return
  const reason = `must be present: changes in the environment ${environment.key} are commented`
  fail('invalid_request', { errors: [{ attribute: 'comment', reason }] })
}
