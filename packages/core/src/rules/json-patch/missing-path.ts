import { arrayIndex, formatPointer, isContainer, type Pointer, valueAt } from './pointer.ts'

/** Reason why a path was not found: it does not exist, or the pointer does not fit the document. */
export interface MissingPath {
  readonly kind: 'path-missing' | 'invalid'
  readonly reason: string
}

/**
 * Explains why a pointer does not lead to a value. It walks the document again, so that successful reads do not pay for
 * building messages.
 *
 * The message contains paths and never values: a caller does not always have the right to read the document.
 */
export function explainMissing(document: unknown, pointer: Pointer): MissingPath {
  let node = document
  for (const [i, token] of pointer.tokens.entries()) {
    const parent = i === 0 ? 'the document' : formatPointer(pointer.tokens.slice(0, i))
    if (!isContainer(node)) return { kind: 'path-missing', reason: `${parent} is not an object or array` }
    if (Array.isArray(node) && token !== '-' && arrayIndex(token) < 0) {
      return { kind: 'invalid', reason: `"${token}" is not an array index of ${parent}` }
    }
    const next = valueAt(node, token)
    if (next === undefined) return { kind: 'path-missing', reason: `there is no "${token}" in ${parent}` }
    node = next
  }
  return { kind: 'path-missing', reason: `${pointer.text} does not exist` }
}
