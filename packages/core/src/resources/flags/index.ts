import { copyFlag } from './copy-flag.ts'
import { createFlag } from './create-flag.ts'
import { deleteFlag } from './delete-flag.ts'
import { getExpiringTargets } from './get-expiring-targets.ts'
import { getExpiringUserTargets } from './get-expiring-user-targets.ts'
import { getFlag } from './get-flag.ts'
import { getFlagStatus } from './get-flag-status.ts'
import { getFlagStatusAcrossEnvironments } from './get-flag-status-across-environments.ts'
import { listDependentFlags } from './list-dependent-flags.ts'
import { listDependentFlagsByEnvironment } from './list-dependent-flags-by-environment.ts'
import { listFlagStatuses } from './list-flag-statuses.ts'
import { listFlags } from './list-flags.ts'
import { patchExpiringTargets } from './patch-expiring-targets.ts'
import { patchExpiringUserTargets } from './patch-expiring-user-targets.ts'
import { patchFlag } from './patch-flag.ts'
import { postMigrationSafetyIssues } from './post-migration-safety-issues.ts'

export const flagOperations = [
  listFlags,
  createFlag,
  getFlag,
  patchFlag,
  deleteFlag,
  postMigrationSafetyIssues,
  copyFlag,
  listDependentFlags,
  listDependentFlagsByEnvironment,
  getFlagStatus,
  listFlagStatuses,
  getFlagStatusAcrossEnvironments,
  getExpiringTargets,
  patchExpiringTargets,
  getExpiringUserTargets,
  patchExpiringUserTargets,
] as const
