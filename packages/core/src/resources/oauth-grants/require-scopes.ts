import { customRolesOf } from '../../models/oauth-grants/scope.ts'
import { roles } from '../../models/roles/role.ts'
import type { Context } from '../../operation/context.ts'
import { reference, validateReferences } from '../../operation/references.ts'
import { isKey } from '../../operation/schema.ts'
import type { Reader } from '../../storage/reader.ts'

/** Rejects scopes that are neither a base role nor a custom role, naming each. */
export async function requireScopes(
  context: Context<Reader, 'invalid_request'>,
  attribute: string,
  scopes: readonly string[],
): Promise<void> {
  const custom = customRolesOf(scopes)
  const reason = 'must be reader, writer, admin or the key of a custom role'
  const references = scopes.flatMap((roleKey, i) =>
    custom.includes(roleKey) ? [reference(`${attribute}.${i}`, roles, { roleKey }, reason)] : [],
  )
  const invalid = scopes.flatMap((scope, i) => (isKey(scope) ? [] : [{ attribute: `${attribute}.${i}`, reason }]))
  const errors = invalid.length > 0 ? invalid : await validateReferences(context.tx, references)
  if (errors.length > 0) context.fail('invalid_request', { errors })
}
