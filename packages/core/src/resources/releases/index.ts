import { deleteRelease } from './delete-release.ts'
import { getRelease } from './get-release.ts'
import { listReleases } from './list-releases.ts'
import { patchRelease } from './patch-release.ts'
import { putPhaseStatus } from './put-phase-status.ts'
import { putRelease } from './put-release.ts'

export const releaseOperations = [
  listReleases,
  getRelease,
  putRelease,
  patchRelease,
  putPhaseStatus,
  deleteRelease,
] as const
