import { jsonEqual } from '../json-equal.ts'
import { add, type Draft, read, releaseOwnership, remove, replace } from './draft.ts'
import { explainMissing } from './missing-path.ts'
import type { Operation } from './operation.ts'
import type { Container, Pointer } from './pointer.ts'
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
   * The document in another form, which `test` accepts as well, e.g. as a response shows it. Changes are applied to it
   * too, so that a later `test` reads the changed value; from the first change that does not fit it, it is not used.
   */
  readonly shown?: unknown
}

const defaultCopyBudget = 1_000_000

/** Maximum depth of the result: enough for a body of maximum depth inserted below a pointer of maximum length. */
const maxLevels = 128

/**
 * Applies a JSON Patch (RFC 6902): all operations in order, or none.
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
