import { flagInstruction } from './instruction.ts'

/** Instructions that change the lifecycle state of a flag. The dates are set when the patch is complete. */
export const lifecycleInstructions = [
  flagInstruction({
    kind: 'archiveFlag',
    sentence: ({ it }) => `archived ${it}`,
    entries: {},
    apply: ({ flag }) => {
      flag.archived = true
    },
  }),
  flagInstruction({
    kind: 'restoreFlag',
    sentence: ({ it }) => `restored ${it}`,
    entries: {},
    apply: ({ flag }) => {
      flag.archived = false
    },
  }),
  flagInstruction({
    kind: 'deprecateFlag',
    sentence: ({ it }) => `deprecated ${it}`,
    entries: {},
    apply: ({ flag }) => {
      flag.deprecated = true
    },
  }),
  flagInstruction({
    kind: 'restoreDeprecatedFlag',
    sentence: ({ it }) => `ended the deprecation of ${it}`,
    entries: {},
    apply: ({ flag }) => {
      flag.deprecated = false
    },
  }),
  flagInstruction({
    kind: 'deleteFlag',
    sentence: ({ it }) => `deleted the flag ${it}`,
    entries: {},
    apply: ({ refuse }) => {
      // A deletion without other instructions never reaches this point. Together with others it is rejected, because
      // nothing can be changed in a deleted flag.
      refuse('kind', 'must be the only instruction of its patch')
    },
  }),
] as const
