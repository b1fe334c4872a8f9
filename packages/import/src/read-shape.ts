import * as v from 'valibot'
import type { ExportError } from './flag-format.ts'
import type { Loss } from './imported-project.ts'

export type ShapeResult<T> = { readonly ok: true; readonly value: T } | ExportError

/**
 * Checks a part of an export against a schema.
 *
 * @param at position of the part, as a JSON pointer.
 */
export function readShape<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  at: string,
): ShapeResult<v.InferOutput<S>> {
  const read = v.safeParse(schema, value)
  if (read.success) return { ok: true, value: read.output }
  const [issue] = read.issues
  return errorAt(pointer(at, ...(issue.path ?? []).map(({ key }) => key as string | number)), reasonOf(issue))
}

export function errorAt(at: string, reason: string): ExportError {
  return { ok: false, at, reason }
}

function reasonOf({ received, expected }: v.BaseIssue<unknown>): string {
  if (received === 'undefined') return 'must be present'
  return expected === null ? 'is invalid' : `must be ${expected}, not ${received.slice(0, 60)}`
}

/** Returns the JSON pointer of a descendant of another pointer's value. */
export function pointer(at: string, ...names: readonly (string | number)[]): string {
  return [at, ...names.map((name) => String(name).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
}

/** The position of an object in the export, and what its losses say about the flag or segment to which it belongs. */
export interface PropertyOwner {
  readonly at: string
  readonly owner: Partial<Loss>
}

/**
 * Reports the properties of an object that the import does not read. Empty properties are ignored.
 *
 * @param knownNames the properties that the import reads, and the properties that it deliberately ignores.
 */
export function unknownProperties(
  value: object,
  knownNames: ReadonlySet<string>,
  { at, owner }: PropertyOwner,
): Loss[] {
  const names = Object.entries(value).flatMap(([name, propertyValue]) =>
    knownNames.has(name) || isEmpty(propertyValue) ? [] : [name],
  )
  return names.map((name) => ({
    ...owner,
    at: pointer(at, name),
    what: `property ${name}`,
    why: 'the property is unknown',
    instead: 'the feature is omitted',
    affects: 'nothing',
  }))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
