import { applyPatch } from '../rules/json-patch/apply-patch.ts'
import type { JsonPatch } from './body.ts'
import { type ErrorCode, fail } from './errors.ts'
import { parse, type Schema } from './schema.ts'

/** A schema whose members are known, so that a patch can be kept to them. */
export type MemberSchema = Schema & { readonly entries: Readonly<Record<string, Schema>> }

/**
 * Applies a JSON Patch to a stored document and checks what came of it
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
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
  const { touchable, others } = divided(document, schema)
  const applied = applyPatch(touchable, patch.operations)
  if (!applied.ok) {
    const code = applied.kind === 'test-failed' ? whenTestFails : 'invalid_request'
    // Only a faulty request is told what is wrong with it: a conflict has nothing but its message
    // (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body).
    if (code !== 'invalid_request') return fail(code, { explanation: `${applied.index}: ${applied.reason}` })
    return fail(code, { errors: [{ attribute: String(applied.index), reason: applied.reason }] })
  }
  const checked = parse(schema, applied.value)
  if (!checked.ok) return fail('invalid_request', { errors: checked.faults })
  return Object.assign(others, checked.value, { version: document.version }) as T
}

/** The members that a patch sees, and the others: one that the patch takes away must not come back. */
function divided(document: object, schema: MemberSchema) {
  const touchable: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(document)) {
    if (name in schema.entries) touchable[name] = value
    else others[name] = value
    if (name === 'version') touchable[name] = value
  }
  return { touchable, others }
}
