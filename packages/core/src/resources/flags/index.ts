import { copyFlag } from './copies/copy-flag.ts'
import { createFlag } from './create-flag.ts'
import { deleteFlag } from './delete-flag.ts'
import { listDependentFlags } from './dependents/list-dependent-flags.ts'
import { listDependentFlagsByEnvironment } from './dependents/list-dependent-flags-by-environment.ts'
import { getExpiringTargets } from './expiring-targets/get-expiring-targets.ts'
import { getExpiringUserTargets } from './expiring-targets/get-expiring-user-targets.ts'
import { patchExpiringTargets } from './expiring-targets/patch-expiring-targets.ts'
import { patchExpiringUserTargets } from './expiring-targets/patch-expiring-user-targets.ts'
import { getFlag } from './get-flag.ts'
import { listFlags } from './list-flags.ts'
import { postMigrationSafetyIssues } from './migrations/post-migration-safety-issues.ts'
import { patchFlag } from './patch-flag.ts'
import { getFlagStatus } from './statuses/get-flag-status.ts'
import { getFlagStatusAcrossEnvironments } from './statuses/get-flag-status-across-environments.ts'
import { listFlagStatuses } from './statuses/list-flag-statuses.ts'

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
