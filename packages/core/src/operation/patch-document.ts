import { applyPatch, type PatchOutcome } from '../rules/json-patch/apply-patch.ts'
import type { JsonPatch } from './body.ts'
import { type ErrorCode, fail } from './errors.ts'
import { type ParseResult, parse, parseProperties } from './parse.ts'
import type { Schema } from './schema.ts'

/** The schema of an object whose property names are known, so that a patch can be limited to them. */
export type ObjectSchema = Schema & { readonly entries: Readonly<Record<string, Schema>> }

export interface PatchDocumentOptions {
  /**
   * Returns the response that this caller gets for the document from the operation that reads it, without query
   * parameters. Called only when a `test` fails, or names a property that the patch may not change.
   */
  shown(): unknown
  /** Error code for a `test` that fails. Default `optimistic_locking_error`. */
  readonly whenTestFails?: ErrorCode | undefined
}

/**
 * Applies a JSON Patch to a stored document and validates the result
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
 *
 * Properties that a patch may change have the same names in storage as in responses, so that the patch fits both.
 * `copy` and `move` read no other property of the document, such as a secret. `test` reads the response, which the
 * caller can also view.
 *
 * @param schema schema of the patchable properties after the patch; it may fill in defaults and convert values.
 * @throws ApiError `invalid_request` naming the operation that cannot be applied, or each invalid property.
 */
export async function patchDocument<T extends { readonly version: number }>(
  document: T,
  patch: JsonPatch,
  schema: ObjectSchema,
  { shown, whenTestFails = 'optimistic_locking_error' }: PatchDocumentOptions,
): Promise<T> {
  const { patchable, others } = splitProperties(document, schema)
  let applied = applyPatch(patchable, patch.operations)
  if (!applied.ok && applied.kind === 'test-failed') {
    // Properties that are undefined are not part of a response.
    const response: unknown = JSON.parse(JSON.stringify(await shown()))
    applied = applyPatch(patchable, patch.operations, { shown: response })
  }
  if (!applied.ok) return refuse(applied, whenTestFails)
  const checked = validate(schema, patchable, applied.value)
  if (!checked.ok) return fail('invalid_request', { errors: checked.errors })
  return Object.assign(others, checked.value, { version: document.version }) as T
}

/**
 * Validates the properties that the patch changed. The other properties were valid when they were stored. An absent
 * property may have a default. A schema with checks of its own is applied to all properties.
 */
function validate(
  schema: ObjectSchema,
  before: Readonly<Record<string, unknown>>,
  after: unknown,
): ParseResult<object> {
  if ('pipe' in schema || typeof after !== 'object' || after === null || Array.isArray(after))
    return parse(schema, after) as ParseResult<object>
  const patched = after as Readonly<Record<string, unknown>>
  const changed: Record<string, Schema> = {}
  const unchanged: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(schema.entries)) {
    const value = patched[name]
    if (value === undefined || value !== before[name]) changed[name] = entry
    else unchanged[name] = value
  }
  const checked = parseProperties(changed, patched)
  return checked.ok ? { ok: true, value: Object.assign(unchanged, checked.value) } : checked
}

function refuse({ index, kind, reason }: PatchOutcome & { readonly ok: false }, whenTestFails: ErrorCode): never {
  const code = kind === 'test-failed' ? whenTestFails : 'invalid_request'
  // The body of a conflict has only a message; details are for invalid requests
  // (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body).
  if (code !== 'invalid_request') return fail(code, { explanation: `${index}: ${reason}` })
  return fail(code, { errors: [{ attribute: String(index), reason }] })
}

/**
 * Splits the properties of a document into those that the patch can read and all others. They are merged again after
 * the patch, so that a property that the patch removes is not restored.
 */
function splitProperties(document: object, schema: ObjectSchema) {
  const patchable: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(document)) {
    if (name in schema.entries) patchable[name] = value
    else others[name] = value
    if (name === 'version') patchable[name] = value
  }
  return { patchable, others }
}
