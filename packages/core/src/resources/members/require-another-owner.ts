import { type Member, members } from '../../models/members/member.ts'
import type { Context } from '../../operation/context.ts'
import type { Writer } from '../../storage/writer.ts'

/**
 * Requires that the account has another owner when this member stops being one. The other owner must be unchanged at
 * the commit, so that two owners cannot remove each other concurrently.
 *
 * @throws ApiError `invalid_request` when there is no other owner.
 */
export async function requireAnotherOwner(context: Context<Writer, 'invalid_request'>, leaving: Member): Promise<void> {
  const { tx, fail } = context
  if (leaving.role !== 'owner') return
  const owners = await tx.list(members, {}, { where: [{ op: 'equals', field: 'role', value: 'owner' }], limit: 2 })
  const other = owners.items.find(({ id }) => id !== leaving.id)
  if (!other) return fail('invalid_request', { message: 'The account must keep at least one owner' })
  tx.expect(members, { memberId: other.id }, other)
}
