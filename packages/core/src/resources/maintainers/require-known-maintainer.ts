import type { MaintainerReference } from '../../models/maintainers/maintainer.ts'
import type { UndoContext } from '../../operation/undo/undo-rules.ts'
import { validateMaintainerExists } from './validate-maintainer.ts'

/**
 * Requires that the maintainer of an earlier state of a document still exists.
 *
 * @param before the maintainer that the document has now, which is not checked; undefined for a new document.
 */
export async function requireKnownMaintainer(
  { tx, fail }: Pick<UndoContext, 'tx' | 'fail'>,
  { maintainerId, maintainerTeamKey }: MaintainerReference,
  before: MaintainerReference = {},
): Promise<void> {
  const errors = await validateMaintainerExists(tx, {
    ...(maintainerId === undefined || maintainerId === before.maintainerId ? {} : { maintainerId }),
    ...(maintainerTeamKey === undefined || maintainerTeamKey === before.maintainerTeamKey ? {} : { maintainerTeamKey }),
  })
  if (errors.length > 0) fail('invalid_request', { errors })
}
