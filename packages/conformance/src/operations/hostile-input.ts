import type { Operation } from '@halyard/core/operations'
import type { Example } from './example.ts'

/** Bodies that are JSON and hardly ever what is wanted. */
export const mistypedBodies = ['[1]', '[null]', '[]', '{}', '{"unknown":{"a":[1]}}']

/** Bodies that are JSON, but neither object nor list: body parsers may refuse them by themselves. */
export const bareBodies = ['1', '"text"', 'true', 'null']

/** Path parameters that no key can be (D8). */
export const strangeKeys = ['..', 'a/b', "'; DROP TABLE documents; --", '\0', '%', '*', 'k'.repeat(300), '🚀']

/** The example with one of the path parameters after the other replaced by a key that nothing has. */
export function withUnknown(params: readonly string[], example: Example): Example[] {
  return params.map((name) => ({ ...example, params: { ...example.params, [name]: 'unknown' } }))
}

/** Path parameters that name something which must exist; free text may name what is not there yet. */
export function keyParams({ path, freeParams = [] }: Operation): string[] {
  return paramsOf(path).filter((name) => !freeParams.includes(name))
}

export function paramsOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}

const strangeValues = ['', '-1', 'constructor', '1e9', "' OR 1=1", '🚀', ',,,', '99999999999999999999', '__proto__:x']

/** The example with one query parameter after the other made strange. */
export function strangeQueries(operation: Operation, example: Example): Example[] {
  const { entries = {} } = (operation.query ?? {}) as { entries?: Readonly<Record<string, unknown>> }
  return Object.keys(entries).flatMap((name) =>
    strangeValues.map((value) => ({ ...example, query: { ...example.query, [name]: value } })),
  )
}
