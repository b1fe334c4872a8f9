import { applyPatch, type PatchOutcome } from '../rules/json-patch/apply-patch.ts'
import type { JsonPatch } from './body.ts'
import { type ErrorCode, fail } from './errors.ts'
import { type ParseResult, parse, parseProperties } from './parse.ts'
import type { Schema } from './schema.ts'

/** The schema of an object whose property names are known, so that a patch can be limited to them. */
export type ObjectSchema = Schema & { readonly entries: Readonly<Record<string, Schema>> }

type Properties = Readonly<Record<string, unknown>>

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
  const names = 'pipe' in schema ? Object.keys(schema.entries) : namesIn(patch, schema)
  // Cast: of the document only properties are used here.
  const before = document as T & Properties
  const patchable = pick(before, [...names, 'version'])
  let applied = applyPatch(patchable, patch.operations)
  if (!applied.ok && applied.kind === 'test-failed') {
    // Properties that are undefined are not part of a response.
    const response: unknown = JSON.parse(JSON.stringify(await shown()))
    applied = applyPatch(patchable, patch.operations, { shown: response })
  }
  if (!applied.ok) return refuse(applied, whenTestFails)
  const checked = validate(schema, before, applied.value, names)
  if (!checked.ok) return fail('invalid_request', { errors: checked.errors })
  const removed = names.filter((name) => !(name in checked.value))
  return Object.assign(withoutProperties(document, removed), checked.value, { version: document.version })
}

/**
 * Returns the names of the patchable properties that a patch reads or changes: all of them when a path is that of the
 * whole document.
 */
function namesIn({ operations }: JsonPatch, { entries }: ObjectSchema): readonly string[] {
  const names = new Set<string>()
  for (const operation of operations) {
    for (const pointer of 'from' in operation ? [operation.path, operation.from] : [operation.path]) {
      const [name] = pointer.tokens
      if (name === undefined) return Object.keys(entries)
      if (Object.hasOwn(entries, name)) names.add(name)
    }
  }
  return [...names]
}

function pick(document: Properties, names: readonly string[]): Properties {
  const picked: Record<string, unknown> = {}
  for (const name of names) if (document[name] !== undefined) picked[name] = document[name]
  return picked
}

/** Returns a copy of a document without some properties. Deleting them from a copy would make it a slow object. */
function withoutProperties<T extends object>(document: T, names: readonly string[]): T {
  if (!names.some((name) => name in document)) return { ...document }
  return Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name))) as T
}

/**
 * Validates the properties that the patch changed. The other properties were valid when they were stored. A property
 * that the document does not have gets its default. A schema with checks of its own is applied to all properties.
 *
 * @param names the properties that the patch can have changed.
 */
function validate(
  schema: ObjectSchema,
  before: Properties,
  after: unknown,
  names: readonly string[],
): ParseResult<object> {
  if ('pipe' in schema || typeof after !== 'object' || after === null || Array.isArray(after))
    return parse(schema, after) as ParseResult<object>
  const patched = after as Properties
  const changed: Record<string, Schema> = {}
  const unchanged: Record<string, unknown> = {}
  for (const name of Object.keys(schema.entries)) {
    const isNamed = names.includes(name)
    const value = isNamed ? patched[name] : before[name]
    if (value === undefined || (isNamed && value !== before[name])) changed[name] = schema.entries[name] as Schema
    else if (isNamed) unchanged[name] = value
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
