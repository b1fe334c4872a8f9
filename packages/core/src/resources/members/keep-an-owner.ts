import { type Member, members } from '../../models/members/member.ts'
import type { Context } from '../../operation/context.ts'
import type { Writer } from '../../storage/writer.ts'

/**
 * Makes sure that the account still has an owner when this one is none any more: another one must be there, and be the
 * same still when the change is committed, so that two owners cannot make an end of each other at once.
 *
 * @throws ApiError `invalid_request` when there is no other.
 */
export async function keepAnOwner(context: Context<Writer, 'invalid_request'>, leaving: Member): Promise<void> {
  const { tx, fail } = context
  if (leaving.role !== 'owner') return
  const owners = await tx.list(members, {}, { where: [{ op: 'equals', field: 'role', value: 'owner' }], limit: 2 })
  const other = owners.items.find(({ id }) => id !== leaving.id)
  if (!other) return fail('invalid_request', { message: 'The account must keep at least one owner' })
  tx.expect(members, { memberId: other.id }, other)
}
