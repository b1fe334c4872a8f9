import { roles } from '../../models/roles/role.ts'
import type { Context } from '../../operation/context.ts'
import type { BaseRole } from '../../rules/policy/base-roles.ts'
import type { Reader } from '../../storage/reader.ts'
import { baseRoles } from '../policy.ts'
import { reaches } from './role-reach.ts'

/** A custom role in a request, and the path of the property that names it. */
export interface NamedRole {
  readonly attribute: string
  readonly roleKey: string
}

/**
 * Rejects custom roles that do not exist, and then those that allow more than the caller may do.
 *
 * @throws ApiError `invalid_request` that names each unknown role; `forbidden`.
 */
export async function requireGivableRoles(
  context: Context<Reader, 'invalid_request' | 'forbidden'>,
  named: readonly NamedRole[],
): Promise<void> {
  const keys = [...new Set(named.map(({ roleKey }) => roleKey))]
  const found = await context.tx.getMany(
    roles,
    keys.map((roleKey) => ({ roleKey })),
  )
  const known = new Set(found.map((role) => role?.key))
  const unknown = named.filter(({ roleKey }) => !known.has(roleKey))
  if (unknown.length > 0) {
    const reason = 'must be the key of a custom role'
    context.fail('invalid_request', { errors: unknown.map(({ attribute }) => ({ attribute, reason })) })
  }
  const exceeding = found.find((role) => role && !reaches(context.caller.layers, role.policy))
  if (exceeding) refuse(context, exceeding.key)
}

/**
 * Rejects base roles that allow more than the caller may do, both when the caller assigns and when the caller removes
 * them.
 *
 * @throws ApiError `forbidden`.
 */
export function requireBaseRoles(context: Context<Reader, 'forbidden'>, given: Iterable<BaseRole>): void {
  for (const role of new Set(given)) if (!reaches(context.caller.layers, baseRoles[role])) refuse(context, role)
}

function refuse({ fail }: Context<Reader, 'forbidden'>, role: string): never {
  return fail('forbidden', { message: `Forbidden. The role ${role} allows more than the caller may do.` })
}
