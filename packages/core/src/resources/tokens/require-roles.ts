import { roles } from '../../models/roles/role.ts'
import type { Context } from '../../operation/context.ts'
import { reference, validateReferences } from '../../operation/references.ts'
import type { Reader } from '../../storage/reader.ts'

/** Rejects roles that do not exist, naming each. */
export async function requireRoles(
  context: Context<Reader, 'invalid_request'>,
  attribute: string,
  keys: readonly string[] = [],
): Promise<void> {
  const references = keys.map((roleKey, i) =>
    reference(`${attribute}.${i}`, roles, { roleKey }, 'must be the id of a custom role'),
  )
  const errors = await validateReferences(context.tx, references)
  if (errors.length > 0) context.fail('invalid_request', { errors })
}
