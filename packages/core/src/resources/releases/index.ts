import { releases as releaseDocuments } from '../../models/releases/release.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const releases = resource({
  title: 'Releases',
  description: 'The release of a flag through the phases of a release pipeline.',
  collections: [releaseDocuments],
  operations: Object.values(operations),
  parameters: {
    phaseId: 'Id of the phase.',
  },
})
