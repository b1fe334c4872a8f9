import type { Operation } from './operation.ts'
import type { Pointer } from './pointer.ts'

/** A path of a patch that its allow-list does not name. */
export interface ForbiddenPath {
  /** Index of the operation in the patch. */
  readonly index: number
  readonly path: string
}

/**
 * Finds what a patch would change outside of an allow-list.
 *
 * An entry of the list is a JSON Pointer. In it, a token `*` stands for any one token, and a last token `**` for the
 * place it hangs on and all that is below. `/name` is the name, `/tags/*` each tag but not the list of tags,
 * `/metadata/**` the metadata and whatever is in it.
 *
 * `path` counts, and `from` of a `move`, as it is taken away there. `test` and `from` of a `copy` only read, and may
 * read all of the document: so the document to be patched holds nothing that the caller may not see.
 *
 * @returns in the order of the patch; empty when all is allowed.
 */
export function forbiddenPaths(operations: readonly Operation[], allowed: readonly string[]): ForbiddenPath[] {
  const forbidden: ForbiddenPath[] = []
  operations.forEach((operation, index) => {
    for (const pointer of changedBy(operation)) {
      if (!allowed.some((entry) => allows(entry, pointer))) forbidden.push({ index, path: pointer.text })
    }
  })
  return forbidden
}

function changedBy(operation: Operation): readonly Pointer[] {
  if (operation.op === 'test') return []
  return operation.op === 'move' ? [operation.from, operation.path] : [operation.path]
}

function allows(entry: string, { text }: Pointer): boolean {
  if (!entry.includes('*')) return entry === text
  // Compared as written: an entry is escaped like a pointer, and a pointer has one spelling.
  const wanted = entry.split('/')
  const given = text.split('/')
  const deep = wanted.at(-1) === '**'
  if (deep) wanted.pop()
  return (
    (deep ? given.length >= wanted.length : given.length === wanted.length) &&
    wanted.every((token, i) => token === '*' || token === given[i])
  )
}
