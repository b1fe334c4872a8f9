import { applyPatch, parsePatch } from '@halyard/core/json-patch'
import fc from 'fast-check'

/** An operation of a JSON Patch (RFC 6902), as it is sent. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }

/** A JSON Patch as a bare array (RFC 6902). */
export type JsonPatch = readonly JsonPatchOperation[]

/** How long patches get, and what they put in. */
export interface PatchOptions {
  /** Default 4. */
  readonly maxOperations?: number
  /** What `add` and `replace` put in. Default: JSON values of at most two levels. */
  readonly values?: fc.Arbitrary<unknown>
}

interface Place {
  readonly path: string
  readonly value: unknown
}

/** Names that read as nothing else than names. */
const memberName = fc.stringMatching(/^[a-z]{1,8}$/)
const usualValues = fc.jsonValue({ maxDepth: 2 }).map(withoutPrototypeNames)

/**
 * JSON Patches (RFC 6902) of at least one operation that fit a document: each operation is made for what the ones
 * before it leave, so that the patch can be applied as a whole. All six operations appear; a `test` always holds.
 *
 * @param document a JSON array or object. It is not written to.
 */
export function jsonPatches(document: object, options: PatchOptions = {}): fc.Arbitrary<JsonPatch> {
  const { maxOperations = 4, values = usualValues } = options
  return fc.integer({ min: 1, max: maxOperations }).chain((count) => patchOf(document, count, values))
}

function patchOf(document: unknown, count: number, values: fc.Arbitrary<unknown>): fc.Arbitrary<JsonPatch> {
  return operationFor(document, values).chain((operation): fc.Arbitrary<JsonPatch> => {
    if (count === 1) return fc.constant([operation])
    return patchOf(applied(document, operation), count - 1, values).map((rest) => [operation, ...rest])
  })
}

function operationFor(document: unknown, values: fc.Arbitrary<unknown>): fc.Arbitrary<JsonPatchOperation> {
  const [root, ...below] = placesIn(document) as [Place, ...Place[]]
  const target = newPlace([root, ...below].filter(({ value }) => isContainer(value)))
  const anywhere = fc.constantFrom(root, ...below)
  const put = [
    fc.record({ op: fc.constant('add' as const), path: target, value: values }),
    anywhere.map(({ path, value }) => ({ op: 'test' as const, path, value })),
    fc.record({ op: fc.constant('copy' as const), from: anywhere.map(({ path }) => path), path: target }),
  ]
  if (below.length === 0) return fc.oneof(...put)
  const inside = fc.constantFrom(...below).map(({ path }) => path)
  return fc.oneof(
    ...put,
    fc.record({ op: fc.constant('replace' as const), path: inside, value: values }),
    fc.record({ op: fc.constant('remove' as const), path: inside }),
    inside.chain((from) => moveOf(document, from)),
  )
}

/** The target is a place of the document without what is moved, so it is never inside of it. */
function moveOf(document: unknown, from: string): fc.Arbitrary<JsonPatchOperation> {
  const left = placesIn(applied(document, { op: 'remove', path: from }))
  return newPlace(left.filter(({ value, path }) => isContainer(value) && !`${path}/`.startsWith(`${from}/`))).map(
    (path) => ({ op: 'move', from, path }),
  )
}

/** A place that something can be added at: a member, new or not, or a place in an array up to its end. */
function newPlace(containers: readonly Place[]): fc.Arbitrary<string> {
  return fc.constantFrom(...containers).chain(({ path, value }) => {
    const token = Array.isArray(value)
      ? fc.oneof(fc.constant('-'), fc.integer({ min: 0, max: value.length }).map(String))
      : memberName
    return token.map((name) => `${path}/${name}`)
  })
}

function applied(document: unknown, operation: JsonPatchOperation): unknown {
  const parsed = parsePatch([operation])
  const outcome = parsed.ok ? applyPatch(document, parsed.operations) : parsed
  if (!outcome.ok) throw new Error(`a generated operation does not fit: ${JSON.stringify(operation)}`)
  return outcome.value
}

/** Every place of a document, itself first. */
function placesIn(value: unknown, path = ''): Place[] {
  if (!isContainer(value)) return [{ path, value }]
  const below = Object.entries(value).flatMap(([name, child]) => placesIn(child, `${path}/${escaped(name)}`))
  return [{ path, value }, ...below]
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Bodies with such names are refused at the door, and pointers to them too. */
function withoutPrototypeNames(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, child) =>
    ['__proto__', 'constructor', 'prototype'].includes(name) ? undefined : child,
  )
}
