import type { Context } from '../../operation/context.ts'
import type { Reader } from '../../storage/unit-of-work.ts'
import { roles } from '../roles/role.ts'

/** Refuses roles that do not exist, naming each. */
export async function requireRoles(
  context: Context<Reader, 'invalid_request'>,
  attribute: string,
  keys: readonly string[] = [],
): Promise<void> {
  const found = await context.tx.getMany(
    roles,
    keys.map((roleKey) => ({ roleKey })),
  )
  const errors = keys.flatMap((_, i) =>
    found[i] ? [] : [{ attribute: `${attribute}.${i}`, reason: 'must be the id of a custom role' }],
  )
  if (errors.length > 0) context.fail('invalid_request', { errors })
}
