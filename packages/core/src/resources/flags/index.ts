import { createFlag } from './create-flag.ts'
import { deleteFlag } from './delete-flag.ts'
import { getFlag } from './get-flag.ts'
import { listFlags } from './list-flags.ts'
import { patchFlag } from './patch-flag.ts'
import { postMigrationSafetyIssues } from './post-migration-safety-issues.ts'

export const flagOperations = [
  listFlags,
  createFlag,
  getFlag,
  patchFlag,
  deleteFlag,
  postMigrationSafetyIssues,
] as const
