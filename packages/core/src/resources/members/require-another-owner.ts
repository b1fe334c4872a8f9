import { type Member, members } from '../../models/members/member.ts'
import type { Context } from '../../operation/context.ts'
import type { Writer } from '../../storage/writer.ts'
import { maxChangedMembers } from './bulk/selected-members.ts'

/**
 * Requires that the account has another owner when members stop being owners. The other owner must be unchanged at the
 * commit, so that two owners cannot remove each other concurrently.
 *
 * @param leaving members who change their role or leave. Members who are not owners are ignored.
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
  const { items } = await tx.list(members, {}, { where, limit: maxChangedMembers + 1 })
  for (const { id } of items) {
    if (leavingIds.has(id)) continue
    // The list contains the stored members. The call, such as a revert, may already have changed the role of this
    // member.
    const other = await tx.get(members, { memberId: id })
    if (other?.role === 'owner') return tx.expect(members, { memberId: id }, other)
  }
  fail('invalid_request', { message: 'The account must keep at least one owner' })
}
