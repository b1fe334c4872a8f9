import type { Operation } from './operation.ts'
import type { Pointer } from './pointer.ts'

/** A path of a patch that the allow-list does not contain. */
export interface ForbiddenPath {
  /** Index of the operation in the patch. */
  readonly index: number
  readonly path: string
}

/**
 * Finds the paths that a patch would change outside of an allow-list.
 *
 * An entry of the list is a JSON Pointer in which a token `*` matches any one token, and a last token `**` matches the
 * path before it and everything below. `/name` is the name, `/tags/*` each tag but not the list of tags, `/metadata/**`
 * the metadata and everything in it.
 *
 * `path` is checked, and also `from` of a `move`, which removes the value there. `test` and `from` of a `copy` only
 * read, and may read the whole document: therefore the patched document must not contain anything that the caller may
 * not see.
 *
 * @returns the forbidden paths in the order of the patch; empty if all are allowed.
 */
export function forbiddenPaths(operations: readonly Operation[], allowed: readonly string[]): ForbiddenPath[] {
  const forbidden: ForbiddenPath[] = []
  operations.forEach((operation, index) => {
    for (const pointer of changedPointers(operation)) {
      if (!allowed.some((entry) => allows(entry, pointer))) forbidden.push({ index, path: pointer.text })
    }
  })
  return forbidden
}

function changedPointers(operation: Operation): readonly Pointer[] {
  if (operation.op === 'test') return []
  return operation.op === 'move' ? [operation.from, operation.path] : [operation.path]
}

function allows(entry: string, { text }: Pointer): boolean {
  if (!entry.includes('*')) return entry === text
  // The texts are compared: an entry is escaped like a pointer, and a pointer has only one spelling.
  const entryTokens = entry.split('/')
  const pathTokens = text.split('/')
  const includesDescendants = entryTokens.at(-1) === '**'
  if (includesDescendants) entryTokens.pop()
  return (
    (includesDescendants ? pathTokens.length >= entryTokens.length : pathTokens.length === entryTokens.length) &&
    entryTokens.every((token, i) => token === '*' || token === pathTokens[i])
  )
}
