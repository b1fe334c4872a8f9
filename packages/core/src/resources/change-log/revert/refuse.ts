import type { UndoContext } from '../../../operation/undo/undo-rules.ts'

/**
 * Refuses to revert an entry that can never be reverted.
 *
 * @param reason a clause.
 */
export function refuse({ fail }: Pick<UndoContext, 'fail'>, reason: string): never {
  return fail('invalid_request', { message: `This entry cannot be reverted: ${reason}` })
}
