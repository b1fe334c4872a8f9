import * as v from 'valibot'
import type { ResourceRef } from '../../../models/approval-requests/approval-request.ts'
import { projects } from '../../../models/projects/project.ts'
import type { ListedChange } from '../../../operation/change-list.ts'
import { anyObject, list } from '../../../operation/schema.ts'
import type { Reader } from '../../../storage/reader.ts'
import type { Instructions, Subject } from './subject.ts'

export const changeListInstructions = v.object({
  instructions: list(
    v.strictObject({
      kind: v.literal('applyChange'),
      operation: v.pipe(v.string(), v.minLength(1, 'must not be empty')),
      parameters: v.optional(anyObject()),
      body: v.optional(v.unknown()),
    }),
  ),
})

/**
 * Loads a project as the subject of requests for a list of changes, each of which is a call of an operation. The `test`
 * operations in the patches of these calls state the values that they replace, so the calls themselves detect changes
 * made since the request.
 */
export async function loadChangeListSubject(tx: Reader, ref: ResourceRef): Promise<Subject | undefined> {
  if (!(await tx.get(projects, ref))) return undefined
  return {
    partsOf: () => [],
    valueOf: async () => undefined,
    async check(context, instructions, approved) {
      await context.runChanges({ changes: changesOf(instructions), approved, discards: true })
    },
    async apply(context, instructions) {
      await context.runChanges?.({ changes: changesOf(instructions) })
    },
    requireUnchanged() {},
  }
}

function changesOf(instructions: Instructions): readonly ListedChange[] {
  // Cast: the schema has parsed the instructions.
  return (instructions as readonly (Instructions[number] & ListedChange)[]).map(({ kind: _, ...change }) => change)
}
