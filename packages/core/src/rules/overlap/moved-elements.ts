import { formatPointer, type Operation } from '../json-patch/index.ts'
import { elementsOf } from './list-elements.ts'
import type { Overlap } from './overlap.ts'

/**
 * Returns the list elements that a JSON Patch names by index, and that have another index, or no longer exist, after
 * another change. If the patch were applied to the changed document, it would change elements that the caller did not
 * intend.
 *
 * @param operations the patch.
 * @param base the document for which the caller wrote the patch.
 * @param theirs the document after the other change.
 */
export function movedElements(operations: readonly Operation[], base: unknown, theirs: unknown): Overlap[] {
  const keepsIndexes = operations.length === 1 || operations.every(({ op }) => op === 'replace' || op === 'test')
  const overlaps = operations.flatMap((operation) => {
    return namedBy(operation).flatMap((tokens) => movedAlong(tokens, { base, theirs, keepsIndexes }) ?? [])
  })
  return [...new Map(overlaps.map((overlap) => [overlap.path, overlap])).values()]
}

/** Returns the tokens of the pointers of an operation, without the index at which it inserts an element. */
function namedBy(operation: Operation): readonly (readonly string[])[] {
  const { tokens } = operation.path
  switch (operation.op) {
    case 'test':
      // Nothing to report: a `test` fails by itself when another value is at its index.
      return []
    case 'replace':
    case 'remove':
      return [tokens]
    case 'add':
      return [tokens.slice(0, -1)]
    case 'move':
    case 'copy':
      return [operation.from.tokens, tokens.slice(0, -1)]
  }
}

interface Documents {
  readonly base: unknown
  readonly theirs: unknown
  /**
   * False when an operation may change the indexes that another one uses; then the lists must have the same elements.
   */
  readonly keepsIndexes: boolean
}

function movedAlong(tokens: readonly string[], { base, theirs, keepsIndexes }: Documents): Overlap | undefined {
  let [before, after] = [base, theirs]
  for (const [depth, token] of tokens.entries()) {
    if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return undefined
    if (Array.isArray(before) && Array.isArray(after)) {
      const indexes = keepsIndexes ? [Number(token)] : [...before.keys(), ...after.keys()]
      const moved = indexes.find((index) => !isSameElement((before as unknown[])[index], (after as unknown[])[index]))
      if (moved !== undefined) {
        const path = formatPointer([...tokens.slice(0, depth), moved])
        const [was, is] = [before[moved], after[moved]]
        return { path, ...(was === undefined ? {} : { base: was }), ...(is === undefined ? {} : { theirs: is }) }
      }
    }
    before = Object.hasOwn(before, token) ? (before as Record<string, unknown>)[token] : undefined
    after = Object.hasOwn(after, token) ? (after as Record<string, unknown>)[token] : undefined
  }
  return undefined
}

/** Returns true for elements with the same identity, and for equal ones. */
function isSameElement(before: unknown, after: unknown): boolean {
  const [first, second] = elementsOf([[before], [after]]).versions.map((elements) => [...elements.keys()][0])
  return first === second
}
