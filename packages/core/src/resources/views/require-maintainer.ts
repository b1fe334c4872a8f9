import type { MaintainerReference } from '../../models/maintainers/maintainer.ts'
import type { Context } from '../../operation/context.ts'
import type { ValidationError } from '../../operation/errors.ts'
import type { Reader } from '../../storage/reader.ts'
import { validateMaintainerExists } from '../maintainers/validate-maintainer.ts'

/** Rejects an unknown maintainer, and a request with two maintainers. */
export async function requireMaintainer(
  { tx, fail }: Context<Reader, 'invalid_request'>,
  request: MaintainerReference,
): Promise<void> {
  const errors: ValidationError[] = []
  if (request.maintainerId !== undefined && request.maintainerTeamKey !== undefined) {
    errors.push({ attribute: 'maintainerTeamKey', reason: 'must be left out when maintainerId is given' })
  }
  errors.push(...(await validateMaintainerExists(tx, request)))
  if (errors.length > 0) fail('invalid_request', { errors })
}
