import { flagInstruction } from './instruction.ts'

/** Where a flag stands in its life. Dates follow when the patch is done. */
export const lifecycleInstructions = [
  flagInstruction('archiveFlag', {}, ({ flag }) => {
    flag.archived = true
  }),
  flagInstruction('restoreFlag', {}, ({ flag }) => {
    flag.archived = false
  }),
  flagInstruction('deprecateFlag', {}, ({ flag }) => {
    flag.deprecated = true
  }),
  flagInstruction('restoreDeprecatedFlag', {}, ({ flag }) => {
    flag.deprecated = false
  }),
  flagInstruction('deleteFlag', {}, ({ refuse }) => {
    // Alone it never comes here: nothing of a flag is changed that is not there afterwards.
    refuse('kind', 'must be the only instruction of its patch')
  }),
] as const
