import { applyPatch } from '../rules/json-patch/apply-patch.ts'
import type { JsonPatch } from './body.ts'
import { type ErrorCode, fail } from './errors.ts'
import { parse, type Schema } from './schema.ts'

/** A schema whose members are known, so that a patch can be kept to them. */
export type MemberSchema = Schema & { readonly entries: Readonly<Record<string, Schema>> }

/**
 * Applies a JSON Patch to a stored document and checks what came of it (D11).
 *
 * Members that a patch may touch have the same names stored as in answers, so that the patch fits both. The patch sees
 * only them, and `version` to test: `copy` and `test` cannot read what the document holds besides, such as a secret.
 *
 * @param schema what the touchable members must look like afterwards; it may fill in and convert.
 * @param whenTestFails the code for a `test` that does not hold. Default `optimistic_locking_error`.
 * @throws ApiError `invalid_request` naming the operation that cannot be applied, or each member that is wrong.
 */
export function patchDocument<T extends { readonly version: number }>(
  document: T,
  patch: JsonPatch,
  schema: MemberSchema,
  whenTestFails: ErrorCode = 'optimistic_locking_error',
): T {
  const applied = applyPatch(touchable(document, schema), patch.operations)
  if (!applied.ok) {
    const code = applied.kind === 'test-failed' ? whenTestFails : 'invalid_request'
    // Only a faulty request is told what is wrong with it: a conflict has nothing but its message (D3).
    if (code !== 'invalid_request') return fail(code, { explanation: `${applied.index}: ${applied.reason}` })
    return fail(code, { errors: [{ attribute: String(applied.index), reason: applied.reason }] })
  }
  const checked = parse(schema, applied.value)
  if (!checked.ok) return fail('invalid_request', { errors: checked.faults })
  return { ...without(document, schema), ...(checked.value as Partial<T>), version: document.version } as T
}

function touchable(document: object, schema: MemberSchema): Record<string, unknown> {
  const members = Object.entries(document).filter(([name]) => name === 'version' || name in schema.entries)
  return Object.fromEntries(members)
}

/** What the patch could not see; a member that the patch took away must not come back. */
function without(document: object, schema: MemberSchema): object {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !(name in schema.entries)))
}
