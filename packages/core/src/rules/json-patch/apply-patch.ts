import { jsonEqual } from '../json-equal.ts'
import { add, type Draft, read, remove, replace, share } from './draft.ts'
import { explainMissing } from './missing-place.ts'
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
  { copyBudget = defaultCopyBudget }: PatchOptions = {},
): PatchOutcome {
  const owned = operations.length > 1 ? new Set<Container>() : undefined
  const work: Work = { root: document, owned, budget: copyBudget }
  for (let index = 0; index < operations.length; index++) {
    const refusal = applyOperation(work, operations[index]!)
    if (refusal) return { ok: false, index, ...refusal }
  }
  return { ok: true, value: work.root }
}

interface Work extends Draft {
  budget: number
}

type Refusal = Pick<Extract<PatchOutcome, { ok: false }>, 'kind' | 'reason'>

function applyOperation(work: Work, operation: Operation): Refusal | undefined {
  const { path } = operation
  switch (operation.op) {
    case 'add':
      return add(work, path.tokens, operation.value) ? undefined : explainMissing(work.root, path)
    case 'replace':
      return replace(work, path.tokens, operation.value) ? undefined : explainMissing(work.root, path)
    case 'remove':
      return remove(work, path.tokens) ? undefined : explainMissing(work.root, path)
    case 'move':
      return move(work, operation.from, path)
    case 'copy':
      return copy(work, operation.from, path)
    case 'test':
      return test(work, path, operation.value)
  }
}

function move(work: Work, from: Pointer, path: Pointer): Refusal | undefined {
  const value = read(work, from.tokens)
  if (value === undefined) return explainMissing(work.root, from)
  if (from.text === path.text) return undefined
  // Only a move to a longer path can make a document deeper.
  if (path.tokens.length > from.tokens.length && !fits(work, path, value)) return tooMuch
  remove(work, from.tokens)
  return add(work, path.tokens, value) ? undefined : explainMissing(work.root, path)
}

function copy(work: Work, from: Pointer, path: Pointer): Refusal | undefined {
  const value = read(work, from.tokens)
  if (value === undefined) return explainMissing(work.root, from)
  if (!fits(work, path, value)) return tooMuch
  share(work, value)
  return add(work, path.tokens, value) ? undefined : explainMissing(work.root, path)
}

function test(work: Work, path: Pointer, expected: unknown): Refusal | undefined {
  const value = read(work, path.tokens)
  if (value === undefined) return { ...explainMissing(work.root, path), kind: 'test-failed' }
  return jsonEqual(value, expected) ? undefined : { kind: 'test-failed', reason: `${path.text} has another value` }
}

function fits(work: Work, path: Pointer, value: unknown): boolean {
  work.budget = spendWeight(value, maxLevels - path.tokens.length, work.budget)
  return work.budget >= 0
}

const tooMuch: Refusal = { kind: 'invalid', reason: 'the document would become too large or too deep' }
