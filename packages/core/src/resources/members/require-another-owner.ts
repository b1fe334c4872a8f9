import { type Member, members } from '../../models/members/member.ts'
import type { Context } from '../../operation/context.ts'
import type { Writer } from '../../storage/writer.ts'

/**
 * Requires that the account has another owner when members stop being owners. The other owner must be unchanged at the
 * commit, so that two owners cannot remove each other concurrently.
 *
 * @param leaving members who change their role or leave; those who are no owners do not count.
 * @throws ApiError `invalid_request` when there is no other owner.
 */
export async function requireAnotherOwner(
  context: Context<Writer, 'invalid_request'>,
  ...leaving: readonly Member[]
): Promise<void> {
  const { tx, fail } = context
  const leavingIds = new Set(leaving.filter(({ role }) => role === 'owner').map(({ id }) => id))
  if (leavingIds.size === 0) return
  const where = [{ op: 'equals', field: 'role', value: 'owner' }] as const
  const owners = await tx.list(members, {}, { where, limit: leavingIds.size + 1 })
  const other = owners.items.find(({ id }) => !leavingIds.has(id))
  if (!other) return fail('invalid_request', { message: 'The account must keep at least one owner' })
  tx.expect(members, { memberId: other.id }, other)
}
