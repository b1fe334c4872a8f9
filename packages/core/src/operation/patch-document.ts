import { applyPatch } from '../rules/json-patch/apply-patch.ts'
import type { JsonPatch } from './body.ts'
import { type ErrorCode, fail } from './errors.ts'
import { parse, type Schema } from './schema.ts'

/** The schema of an object whose property names are known, so that a patch can be limited to them. */
export type ObjectSchema = Schema & { readonly entries: Readonly<Record<string, Schema>> }

/**
 * Applies a JSON Patch to a stored document and validates the result
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
 *
 * Properties that a patch may change have the same names in storage as in responses, so that the patch fits both. Apart
 * from them, the patch sees only `version`, to test it: `copy` and `test` cannot read other properties of the document,
 * such as a secret.
 *
 * @param schema schema of the patchable properties after the patch; it may fill in defaults and convert values.
 * @param whenTestFails error code for a `test` that fails. Default `optimistic_locking_error`.
 * @throws ApiError `invalid_request` naming the operation that cannot be applied, or each invalid property.
 */
export function patchDocument<T extends { readonly version: number }>(
  document: T,
  patch: JsonPatch,
  schema: ObjectSchema,
  whenTestFails: ErrorCode = 'optimistic_locking_error',
): T {
  const { touchable: patchable, others } = splitProperties(document, schema)
  const applied = applyPatch(patchable, patch.operations)
  if (!applied.ok) {
    const code = applied.kind === 'test-failed' ? whenTestFails : 'invalid_request'
    // The body of a conflict has only a message; details are for invalid requests
    // (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body).
    if (code !== 'invalid_request') return fail(code, { explanation: `${applied.index}: ${applied.reason}` })
    return fail(code, { errors: [{ attribute: String(applied.index), reason: applied.reason }] })
  }
  const checked = parse(schema, applied.value)
  if (!checked.ok) return fail('invalid_request', { errors: checked.errors })
  return Object.assign(others, checked.value, { version: document.version }) as T
}

/**
 * Splits the properties of a document into those that the patch sees and the others. They are separated so that a
 * property that the patch removes does not come back.
 */
function splitProperties(document: object, schema: ObjectSchema) {
  const patchable: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(document)) {
    if (name in schema.entries) patchable[name] = value
    else others[name] = value
    if (name === 'version') patchable[name] = value
  }
  return { touchable: patchable, others }
}
