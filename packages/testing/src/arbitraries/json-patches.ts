import { applyPatch, parsePatch } from '@halyard/core/json-patch'
import fc from 'fast-check'

/** An operation of a JSON Patch (RFC 6902), as it is sent. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }

/** A JSON Patch as a bare array (RFC 6902). */
export type JsonPatch = readonly JsonPatchOperation[]

/** Length of the generated patches, and the values that they add. */
export interface PatchOptions {
  /** Default 4. */
  readonly maxOperations?: number
  /** Values of `add` and `replace`. Default: JSON values of at most two levels. */
  readonly values?: fc.Arbitrary<unknown>
}

interface LocatedValue {
  readonly path: string
  readonly value: unknown
}

/** Property names without characters that a JSON Pointer escapes or reads as an index. */
const propertyName = fc.stringMatching(/^[a-z]{1,8}$/)
const defaultValues = fc.jsonValue({ maxDepth: 2 }).map(withoutPrototypeNames)

/**
 * Generates JSON Patches (RFC 6902) of at least one operation that can be applied to a document: each operation is
 * generated for the result of the operations before it. All six operations occur; a `test` always succeeds.
 * @param document a JSON array or object. It is not changed.
 */
export function jsonPatches(document: object, options: PatchOptions = {}): fc.Arbitrary<JsonPatch> {
  const { maxOperations = 4, values = defaultValues } = options
  return fc.integer({ min: 1, max: maxOperations }).chain((count) => patchOf(document, count, values))
}

function patchOf(document: unknown, count: number, values: fc.Arbitrary<unknown>): fc.Arbitrary<JsonPatch> {
  return operationFor(document, values).chain((operation): fc.Arbitrary<JsonPatch> => {
    if (count === 1) return fc.constant([operation])
    return patchOf(applyOperation(document, operation), count - 1, values).map((rest) => [operation, ...rest])
  })
}

function operationFor(document: unknown, values: fc.Arbitrary<unknown>): fc.Arbitrary<JsonPatchOperation> {
  const [root, ...descendants] = locatedValues(document) as [LocatedValue, ...LocatedValue[]]
  const target = targetPath([root, ...descendants].filter(({ value }) => isContainer(value)))
  const anywhere = fc.constantFrom(root, ...descendants)
  const addOrReplace = [
    fc.record({ op: fc.constant('add' as const), path: target, value: values }),
    anywhere.map(({ path, value }) => ({ op: 'test' as const, path, value })),
    fc.record({ op: fc.constant('copy' as const), from: anywhere.map(({ path }) => path), path: target }),
  ]
  if (descendants.length === 0) return fc.oneof(...addOrReplace)
  const inside = fc.constantFrom(...descendants).map(({ path }) => path)
  return fc.oneof(
    ...addOrReplace,
    fc.record({ op: fc.constant('replace' as const), path: inside, value: values }),
    fc.record({ op: fc.constant('remove' as const), path: inside }),
    inside.chain((from) => moveOf(document, from)),
  )
}

/**
 * Generates a `move`. The target is chosen from the document without the moved value, so it is never inside that value.
 */
function moveOf(document: unknown, from: string): fc.Arbitrary<JsonPatchOperation> {
  const remaining = locatedValues(applyOperation(document, { op: 'remove', path: from }))
  return targetPath(
    remaining.filter(({ value, path }) => isContainer(value) && !`${path}/`.startsWith(`${from}/`)),
  ).map((path) => ({ op: 'move', from, path }))
}

/** Generates the path of a value to add: an existing or new property, or an index of an array up to its length. */
function targetPath(containers: readonly LocatedValue[]): fc.Arbitrary<string> {
  return fc.constantFrom(...containers).chain(({ path, value }) => {
    const token = Array.isArray(value)
      ? fc.oneof(fc.constant('-'), fc.integer({ min: 0, max: value.length }).map(String))
      : propertyName
    return token.map((name) => `${path}/${name}`)
  })
}

function applyOperation(document: unknown, operation: JsonPatchOperation): unknown {
  const parsed = parsePatch([operation])
  const outcome = parsed.ok ? applyPatch(document, parsed.operations) : parsed
  if (!outcome.ok) throw new Error(`a generated operation cannot be applied: ${JSON.stringify(operation)}`)
  return outcome.value
}

/** Returns a document and all values inside it, with their paths. */
function locatedValues(value: unknown, path = ''): LocatedValue[] {
  if (!isContainer(value)) return [{ path, value }]
  const descendants = Object.entries(value).flatMap(([name, child]) =>
    locatedValues(child, `${path}/${escapePointerToken(name)}`),
  )
  return [{ path, value }, ...descendants]
}

function escapePointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/**
 * Returns a copy without names such as `__proto__`: the engine refuses bodies with such names, and pointers to them.
 */
function withoutPrototypeNames(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, child) =>
    ['__proto__', 'constructor', 'prototype'].includes(name) ? undefined : child,
  )
}
