import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import type { Context } from '../context.ts'

type ChangeError = 'not_found' | 'optimistic_locking_error'

/**
 * Compares a document with the caller's `If-Match`, replaces it, and sets the revision of the response.
 *
 * @param change returns the document to store; it may fail.
 * @returns the document as it is stored.
 * @throws ApiError `not_found` or `optimistic_locking_error`.
 */
export async function changeDocument<T extends Versioned, A extends string>(
  context: Pick<Context<Writer, ChangeError>, 'tx' | 'fail' | 'requireRevision' | 'setRevision'>,
  collection: Documents<T, A>,
  keys: Keys<A>,
  change: (before: T) => T | Promise<T>,
): Promise<T> {
  const before = (await context.tx.get(collection, keys)) ?? context.fail('not_found')
  context.requireRevision(before.version)
  const after = context.tx.replace(collection, keys, before, await change(before))
  context.setRevision(after.version)
  return after
}

/**
 * Applies the instructions of a semantic patch to a document, one after the other.
 *
 * @param apply returns the document after an instruction. `path` is the path of the instruction in the request, e.g.
 *   `instructions.0`.
 */
export async function applyInstructions<T, Instruction>(
  document: T,
  instructions: readonly Instruction[],
  apply: (document: T, instruction: Instruction, path: string) => T | Promise<T>,
): Promise<T> {
  let changed = document
  for (const [index, instruction] of instructions.entries()) {
    changed = await apply(changed, instruction, `instructions.${index}`)
  }
  return changed
}
