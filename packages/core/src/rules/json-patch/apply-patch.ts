import { jsonEqual } from '../json-equal.ts'
import { explainMissing } from './missing-path.ts'
import type { Operation } from './operation.ts'
import { arrayIndex, type Container, isContainer, type Pointer, valueAt } from './pointer.ts'
import { spendWeight } from './weight.ts'

/** The patched value, or the reason why the patch cannot be applied. */
export type PatchOutcome =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      /** Index of the operation that failed. */
      readonly index: number
      /**
       * `test-failed`: the document differs from what the caller expected; `path-missing` and `invalid`: the patch does
       * not fit the document.
       */
      readonly kind: 'test-failed' | 'path-missing' | 'invalid'
      /** Reason as one clause for the caller; it mentions paths of the document, never values. */
      readonly reason: string
    }

/** Limits on the cost of a patch. */
export interface PatchOptions {
  /** Maximum amount of data that `copy` and `move` may process, in values plus characters. Default 1,000,000. */
  readonly copyBudget?: number
  /**
   * A second form of the document, e.g. its form in responses. A `test` also succeeds when this form has the value.
   * Changes are applied to both forms, so that a later `test` reads the changed value. When a change cannot be applied
   * to this form, the form is not used for later operations.
   */
  readonly shown?: unknown
}

const defaultCopyBudget = 1_000_000

/** Maximum depth of the result: enough for a body of maximum depth inserted below a pointer of maximum length. */
const maxLevels = 128

/**
 * Applies a JSON Patch (RFC 6902): all operations in order, or no operation.
 *
 * It modifies neither the document nor the operations; the result shares unchanged values with both: an unchanged part
 * of the document is the same object (`===`) in the result. So the document should be deeply frozen, and the result can
 * be: freezing it also freezes the values of the patch.
 *
 * A `test` of a path that does not exist is `test-failed`, like one that finds another value.
 *
 * @param document a JSON value, at most 128 levels deep.
 * @param operations result of `parsePatch`.
 */
export function applyPatch(
  document: unknown,
  operations: readonly Operation[],
  { copyBudget = defaultCopyBudget, shown }: PatchOptions = {},
): PatchOutcome {
  const stateOf = (root: unknown): PatchState => {
    return { root, owned: operations.length > 1 ? new Set<Container>() : undefined, budget: copyBudget }
  }
  const state = stateOf(document)
  let shownState = shown === undefined ? undefined : stateOf(shown)
  for (let index = 0; index < operations.length; index++) {
    const operation = operations[index]!
    const isShown = shownState !== undefined && applyOperation(shownState, operation) === undefined
    if (operation.op === 'test' && isShown) continue
    if (operation.op !== 'test' && !isShown) shownState = undefined
    const refusal = applyOperation(state, operation)
    if (refusal) return { ok: false, index, ...refusal }
  }
  return { ok: true, value: state.root }
}

interface PatchState extends Draft {
  budget: number
}

type Refusal = Pick<Extract<PatchOutcome, { ok: false }>, 'kind' | 'reason'>

function applyOperation(state: PatchState, operation: Operation): Refusal | undefined {
  const { path } = operation
  switch (operation.op) {
    case 'add':
      return add(state, path.tokens, operation.value) ? undefined : explainMissing(state.root, path)
    case 'replace':
      return replace(state, path.tokens, operation.value) ? undefined : explainMissing(state.root, path)
    case 'remove':
      return remove(state, path.tokens) ? undefined : explainMissing(state.root, path)
    case 'move':
      return move(state, operation.from, path)
    case 'copy':
      return copy(state, operation.from, path)
    case 'test':
      return test(state, path, operation.value)
  }
}

function move(state: PatchState, from: Pointer, path: Pointer): Refusal | undefined {
  const value = read(state, from.tokens)
  if (value === undefined) return explainMissing(state.root, from)
  if (from.text === path.text) return undefined
  // Only a move to a longer path can make a document deeper.
  if (path.tokens.length > from.tokens.length && !withinLimits(state, path, value)) return tooLarge
  remove(state, from.tokens)
  return add(state, path.tokens, value) ? undefined : explainMissing(state.root, path)
}

function copy(state: PatchState, from: Pointer, path: Pointer): Refusal | undefined {
  const value = read(state, from.tokens)
  if (value === undefined) return explainMissing(state.root, from)
  if (!withinLimits(state, path, value)) return tooLarge
  releaseOwnership(state, value)
  return add(state, path.tokens, value) ? undefined : explainMissing(state.root, path)
}

function test(state: PatchState, path: Pointer, expected: unknown): Refusal | undefined {
  const value = read(state, path.tokens)
  if (value === undefined) return { ...explainMissing(state.root, path), kind: 'test-failed' }
  return jsonEqual(value, expected) ? undefined : { kind: 'test-failed', reason: `${path.text} has another value` }
}

function withinLimits(state: PatchState, path: Pointer, value: unknown): boolean {
  state.budget = spendWeight(value, maxLevels - path.tokens.length, state.budget)
  return state.budget >= 0
}

const tooLarge: Refusal = { kind: 'invalid', reason: 'the document would become too large or too deep' }

/**
 * A document while it is being changed. A container is copied before its first change, so that the original and all
 * values from outside stay unchanged, and everything outside the changed paths is shared with the original.
 */
interface Draft {
  root: unknown
  /**
   * Copies made so far. Only these containers may be modified. If a container is such a copy, so is every container
   * above it. Undefined when tracking copies costs more than it saves, as for a single operation: then each change
   * makes a new copy.
   */
  readonly owned: Set<Container> | undefined
}

/** Returns the value at a path, or undefined if the path does not exist. */
function read(draft: Draft, tokens: readonly string[]): unknown {
  let node = draft.root
  for (let i = 0; i < tokens.length; i++) {
    if (!isContainer(node)) return undefined
    node = valueAt(node, tokens[i]!)
  }
  return node
}

/** Inserts into an array, or sets a property. Returns false if the parent does not exist or the index is invalid. */
function add(draft: Draft, tokens: readonly string[], value: unknown): boolean {
  if (tokens.length === 0) return setRoot(draft, value)
  const container = writableParent(draft, tokens)
  const token = tokens[tokens.length - 1]!
  if (!container) return false
  if (!Array.isArray(container)) {
    container[token] = value
    return true
  }
  const index = token === '-' ? container.length : arrayIndex(token)
  if (index < 0 || index > container.length) return false
  if (index === container.length) container.push(value)
  else container.splice(index, 0, value)
  return true
}

/** Replaces a value. Returns false if the path does not exist. */
function replace(draft: Draft, tokens: readonly string[], value: unknown): boolean {
  if (tokens.length === 0) return setRoot(draft, value)
  const container = writableParent(draft, tokens)
  const token = tokens[tokens.length - 1]!
  if (!container || valueAt(container, token) === undefined) return false
  setChild(container, token, value)
  return true
}

/** Removes a value other than the root from the document. Returns false if the path does not exist. */
function remove(draft: Draft, tokens: readonly string[]): boolean {
  if (read(draft, tokens) === undefined) return false
  const token = tokens[tokens.length - 1]!
  const container = writableParent(draft, tokens, token)!
  if (Array.isArray(container)) container.splice(arrayIndex(token), 1)
  else delete container[token]
  return true
}

/**
 * Clears the set of containers that the draft changes in place, if a value is one of them. Must be called before the
 * value gets a second path: otherwise a change at one path would also appear at the other.
 */
function releaseOwnership(draft: Draft, value: unknown): void {
  if (isContainer(value) && draft.owned?.has(value)) draft.owned.clear()
}

function setRoot(draft: Draft, value: unknown): true {
  draft.root = value
  return true
}

/**
 * Returns the container of the last token, after making it and all containers above it writable.
 *
 * @param omitted property that the copy of the container may omit, if it has to be copied.
 */
function writableParent(draft: Draft, tokens: readonly string[], omitted?: string): Container | undefined {
  if (!isContainer(draft.root)) return undefined
  const last = tokens.length - 1
  let node = own(draft, draft.root, last === 0 ? omitted : undefined)
  draft.root = node
  for (let i = 0; i < last; i++) {
    const child = valueAt(node, tokens[i]!)
    if (!isContainer(child)) return undefined
    const copy = own(draft, child, i === last - 1 ? omitted : undefined)
    if (copy !== child) setChild(node, tokens[i]!, copy)
    node = copy
  }
  return node
}

/**
 * Sets an existing property or element. In an array the token is an index without leading zeros, so it also works as a
 * property name.
 */
function setChild(container: Container, token: string, value: unknown): void {
  const properties = container as Record<string, unknown>
  properties[token] = value
}

function own(draft: Draft, container: Container, omitted?: string): Container {
  if (draft.owned?.has(container)) return container
  const copy = copyOf(container, omitted)
  draft.owned?.add(copy)
  return copy
}

/**
 * Copies arrays and objects by spread. `slice` takes 25 times as long on a frozen array (V8), and `Object.assign` would
 * set the prototype when a property is named `__proto__`, instead of copying the property. Omitting a property is
 * cheaper than deleting it afterwards, which turns the object into a slow one.
 */
function copyOf(container: Container, omitted: string | undefined): Container {
  if (Array.isArray(container)) return [...container]
  if (omitted === undefined) return { ...container }
  const { [omitted]: _, ...rest } = container
  return rest
}
