import { flagInstruction } from './instruction.ts'

/** Instructions that change the lifecycle state of a flag. The dates are set when the patch is complete. */
export const lifecycleInstructions = [
  flagInstruction(
    'archiveFlag',
    ({ it }) => `archived ${it}`,
    {},
    ({ flag }) => {
      flag.archived = true
    },
  ),
  flagInstruction(
    'restoreFlag',
    ({ it }) => `restored ${it}`,
    {},
    ({ flag }) => {
      flag.archived = false
    },
  ),
  flagInstruction(
    'deprecateFlag',
    ({ it }) => `deprecated ${it}`,
    {},
    ({ flag }) => {
      flag.deprecated = true
    },
  ),
  flagInstruction(
    'restoreDeprecatedFlag',
    ({ it }) => `ended the deprecation of ${it}`,
    {},
    ({ flag }) => {
      flag.deprecated = false
    },
  ),
  flagInstruction(
    'deleteFlag',
    ({ it }) => `deleted the flag ${it}`,
    {},
    ({ refuse }) => {
      // A deletion without other instructions never reaches this point. Together with others it is rejected, because
      // nothing can be changed in a deleted flag.
      refuse('kind', 'must be the only instruction of its patch')
    },
  ),
] as const
