import { arrayIndex, formatPointer, isContainer, type Pointer, valueAt } from './pointer.ts'

/** Why a place could not be found: it is not there, or the pointer does not fit the document at all. */
export interface MissingPlace {
  readonly kind: 'path-missing' | 'invalid'
  readonly reason: string
}

/**
 * Says why a pointer leads to nothing. Walks the document again, so that no walk that succeeds pays for words.
 *
 * The words name places and never values: what a document holds is not told to who may not read it.
 */
export function explainMissing(document: unknown, pointer: Pointer): MissingPlace {
  let node = document
  for (const [i, token] of pointer.tokens.entries()) {
    const at = i === 0 ? 'the document' : formatPointer(pointer.tokens.slice(0, i))
    if (!isContainer(node)) return { kind: 'path-missing', reason: `${at} has no members` }
    if (Array.isArray(node) && token !== '-' && arrayIndex(token) < 0) {
      return { kind: 'invalid', reason: `"${token}" is no array index in ${at}` }
    }
    const next = valueAt(node, token)
    if (next === undefined) return { kind: 'path-missing', reason: `there is no "${token}" in ${at}` }
    node = next
  }
  return { kind: 'path-missing', reason: `${pointer.text} does not exist` }
}
