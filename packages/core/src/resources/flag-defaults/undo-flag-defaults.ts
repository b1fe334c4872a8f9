import { flagDefaults, initialFlagDefaults } from '../../models/projects/flag-defaults.ts'
import { projects } from '../../models/projects/project.ts'
import { type UndoDeclaration, undoOf } from '../../operation/undo/undo-rules.ts'

/** The rules for undoing changes of the defaults that are not a property of the project. */
export const undoFlagDefaults: readonly UndoDeclaration[] = [
  undoOf(flagDefaults, {
    implied: async ({ tx }, keys) => (await tx.get(projects, keys)) && initialFlagDefaults,
    update({ tx }, { keys, current, wanted }) {
      tx.replace(flagDefaults, keys, current, wanted)
    },
  }),
]
