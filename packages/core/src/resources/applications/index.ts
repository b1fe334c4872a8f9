import { resource } from '../../operation/resource.ts'
import { applications as applicationDocuments } from './application.ts'
import { deleteApplication } from './delete-application.ts'
import { getApplication } from './get-application.ts'
import { listApplications } from './list-applications.ts'
import { patchApplication } from './patch-application.ts'

export const applications = resource({
  title: 'Applications',
  description: 'Applications that report deployments of an environment.',
  kinds: [{ shape: 'proj:env:application', actions: ['updateApplication', 'deleteApplication'] }],
  collections: [applicationDocuments],
  operations: [listApplications, getApplication, patchApplication, deleteApplication],
  parameters: {
    applicationKey: 'Key of the application.',
  },
})
