import { releases as releaseDocuments } from '../../models/releases/release.ts'
import { resource } from '../../operation/resource.ts'
import { deleteRelease } from './delete-release.ts'
import { getRelease } from './get-release.ts'
import { listReleases } from './list-releases.ts'
import { patchRelease } from './patch-release.ts'
import { putPhaseStatus } from './put-phase-status.ts'
import { putRelease } from './put-release.ts'

export const releases = resource({
  title: 'Releases',
  description: 'The release of a flag through the phases of a release pipeline.',
  collections: [releaseDocuments],
  operations: [listReleases, getRelease, putRelease, patchRelease, putPhaseStatus, deleteRelease],
  parameters: {
    phaseId: 'Id of the phase.',
  },
})
