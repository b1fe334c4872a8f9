import { roles } from '../../models/roles/role.ts'
import type { Context } from '../../operation/context.ts'
import type { BaseRole } from '../../rules/policy/base-roles.ts'
import type { Reader } from '../../storage/reader.ts'
import { baseRoles } from '../policy.ts'
import { coversStatements } from './role-coverage.ts'

/** A custom role in a request, and the path of the property that names it. */
export interface ReferencedRole {
  readonly attribute: string
  readonly roleKey: string
}

/**
 * Rejects custom roles that do not exist, and custom roles that allow more than the caller may do.
 *
 * @throws ApiError `invalid_request` that names each unknown role; `forbidden`.
 */
export async function requireGrantableRoles(
  context: Context<Reader, 'invalid_request' | 'forbidden'>,
  references: readonly ReferencedRole[],
): Promise<void> {
  const keys = [...new Set(references.map(({ roleKey }) => roleKey))]
  const existing = await context.tx.getMany(
    roles,
    keys.map((roleKey) => ({ roleKey })),
  )
  const existingKeys = new Set(existing.map((role) => role?.key))
  const unknown = references.filter(({ roleKey }) => !existingKeys.has(roleKey))
  if (unknown.length > 0) {
    const reason = 'must be the key of a custom role'
    context.fail('invalid_request', { errors: unknown.map(({ attribute }) => ({ attribute, reason })) })
  }
  const exceeding = existing.find((role) => role && !coversStatements(context.caller.layers, role.policy))
  if (exceeding) refuse(context, exceeding.key)
}

/**
 * Rejects base roles that allow more than the caller may do, both when the caller assigns and when the caller removes
 * them.
 *
 * @throws ApiError `forbidden`.
 */
export function requireGrantableBaseRoles(
  context: Context<Reader, 'forbidden'>,
  baseRoleNames: Iterable<BaseRole>,
): void {
  for (const role of new Set(baseRoleNames))
    if (!coversStatements(context.caller.layers, baseRoles[role])) refuse(context, role)
}

function refuse({ fail }: Context<Reader, 'forbidden'>, role: string): never {
  return fail('forbidden', { message: `Forbidden. The role ${role} allows more than the caller may do.` })
}
