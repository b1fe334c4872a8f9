import * as v from 'valibot'
import { type Member, members } from '../../../models/members/member.ts'
import type { Context } from '../../../operation/context.ts'
import { list } from '../../../operation/schema.ts'
import type { Writer } from '../../../storage/writer.ts'

/** Maximum number of members that one call changes. */
export const maxChangedMembers = 1_000

/** Schema of the ids of the members that an instruction changes, without duplicates. */
export const selectedIds = () =>
  v.pipe(
    list(v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(256, 'must have at most 256 characters'))),
    v.minLength(1, 'must contain at least 1 member'),
    v.maxLength(maxChangedMembers, `must contain at most ${maxChangedMembers} members`),
    v.check((ids) => new Set(ids).size === ids.length, 'must not repeat a member'),
  )

const filterText = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(256, 'must have at most 256 characters'))

/**
 * Schema entries of an instruction for all members except those that match one of the filters (reference API:
 * patchMembers).
 */
export const exceptedMembers = {
  /** Excludes members who have not accepted their invitation. The engine does not count logins. */
  filterLastSeen: v.optional(v.strictObject({ never: v.literal(true, 'must be true') })),
  filterQuery: v.optional(filterText()),
  /** Base roles and keys of custom roles, joined by `|`. */
  filterRoles: v.optional(filterText()),
  filterTeamKey: v.optional(filterText()),
  ignoredMemberIDs: v.optional(list(filterText()), []),
}

const exceptions = v.object(exceptedMembers)

export type MemberExceptions = v.InferOutput<typeof exceptions>

/** Reads members by their ids. Fails with `invalid_request` when one does not exist. */
export async function membersWithIds(
  { tx, fail }: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail'>,
  ids: readonly string[],
  attribute: string,
): Promise<readonly Member[]> {
  const stored = await tx.getMany(
    members,
    ids.map((memberId) => ({ memberId })),
  )
  const errors = ids.flatMap((_, index) =>
    stored[index] ? [] : [{ attribute: `${attribute}.${index}`, reason: 'must be the id of a member' }],
  )
  if (errors.length > 0) fail('invalid_request', { errors })
  return stored.filter((member) => member !== undefined)
}

/**
 * Reads all members who match none of the filters.
 *
 * @param attribute path of the kind of the instruction in the request.
 * @throws ApiError `invalid_request` when the account has more members than one call changes.
 */
export async function membersExcept(
  { tx, fail }: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail'>,
  filters: MemberExceptions,
  attribute: string,
): Promise<readonly Member[]> {
  const { items, total } = await tx.list(members, {}, { limit: maxChangedMembers })
  if (total > maxChangedMembers) {
    const reason = `must be a kind with memberIDs in an account of more than ${maxChangedMembers} members`
    fail('invalid_request', { errors: [{ attribute, reason }] })
  }
  return items.filter((member) => !matches(member, filters))
}

/**
 * Requires that a call changes at most the maximum number of members.
 *
 * @param count number of different members of all instructions.
 * @throws ApiError `invalid_request`.
 */
export function requireMaxMembers({ fail }: Pick<Context<Writer, 'invalid_request'>, 'fail'>, count: number): void {
  if (count <= maxChangedMembers) return
  const reason = `must not name more than ${maxChangedMembers} members altogether`
  fail('invalid_request', { errors: [{ attribute: 'instructions', reason }] })
}

function matches(member: Member, filters: MemberExceptions): boolean {
  const { filterLastSeen, filterQuery, filterRoles, filterTeamKey, ignoredMemberIDs } = filters
  const has = (text: string) => text.toLowerCase().includes((filterQuery as string).toLowerCase())
  if (ignoredMemberIDs.includes(member.id)) return true
  if (filterLastSeen && member.invitation) return true
  if (filterQuery !== undefined && [member.email, `${member.firstName} ${member.lastName}`].some(has)) return true
  if (filterTeamKey !== undefined && member.teamKeys?.some((key) => isSameText(key, filterTeamKey))) return true
  // An owner counts as an administrator.
  const roles = [member.role === 'owner' ? 'admin' : member.role, ...member.customRoles]
  return filterRoles?.split('|').some((role) => roles.includes(role.trim())) ?? false
}

function isSameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
