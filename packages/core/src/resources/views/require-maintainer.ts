import type { Maintained } from '../../models/maintainers/maintainer.ts'
import type { Context } from '../../operation/context.ts'
import type { Fault } from '../../operation/errors.ts'
import type { Reader } from '../../storage/reader.ts'
import { missingMaintainers } from '../maintainers/maintainer-faults.ts'

/** Rejects an unknown maintainer, and a request with two maintainers. */
export async function requireMaintainer(
  { tx, fail }: Context<Reader, 'invalid_request'>,
  given: Maintained,
): Promise<void> {
  const errors: Fault[] = []
  if (given.maintainerId !== undefined && given.maintainerTeamKey !== undefined) {
    errors.push({ attribute: 'maintainerTeamKey', reason: 'must be left out when maintainerId is given' })
  }
  errors.push(...(await missingMaintainers(tx, given)))
  if (errors.length > 0) fail('invalid_request', { errors })
}
