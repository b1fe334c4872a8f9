import type { Operation } from '@halyard/core/operations'
import type { Example } from './example.ts'

/** JSON bodies that few operations accept. */
export const mistypedBodies = ['[1]', '[null]', '[]', '{}', '{"unknown":{"a":[1]}}']

/** JSON bodies that are neither an object nor a list; a body parser may refuse them itself. */
export const bareBodies = ['1', '"text"', 'true', 'null']

/**
 * Values of path parameters that cannot be keys (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys).
 */
export const invalidKeys = ['..', 'a/b', "'; DROP TABLE documents; --", '\0', '%', '*', 'k'.repeat(300), '🚀']

/** Returns an example for each path parameter, in which the parameter is a key that no resource has. */
export function withUnknownKeys(params: readonly string[], example: Example): Example[] {
  return params.map((name) => ({ ...example, params: { ...example.params, [name]: 'unknown' } }))
}

/** Returns the path parameters that name an existing resource; free text may name one that does not exist yet. */
export function keyParams({ path, freeParams = [] }: Operation): string[] {
  return paramsOf(path).filter((name) => !freeParams.includes(name))
}

export function paramsOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}

const unusualValues = ['', '-1', 'constructor', '1e9', "' OR 1=1", '🚀', ',,,', '99999999999999999999', '__proto__:x']

/** Returns examples in each of which one query parameter has an unusual value. */
export function unusualQueries(operation: Operation, example: Example): Example[] {
  const { entries = {} } = (operation.query ?? {}) as { entries?: Readonly<Record<string, unknown>> }
  return Object.keys(entries).flatMap((name) =>
    unusualValues.map((value) => ({ ...example, query: { ...example.query, [name]: value } })),
  )
}
