import { flagInstruction } from './instruction.ts'

/** Instructions that change the lifecycle state of a flag. The dates are set when the patch is complete. */
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
    // A deletion without other instructions never reaches this point. Together with others it is rejected, because
    // nothing can be changed in a deleted flag.
    refuse('kind', 'must be the only instruction of its patch')
  }),
] as const
