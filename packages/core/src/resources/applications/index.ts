import { resource } from '../../operation/resource.ts'
import { applications as applicationDocuments } from './application.ts'
import * as operations from './operations.ts'

export const applications = resource({
  title: 'Applications',
  description: 'Applications that report deployments of an environment.',
  kinds: [{ shape: 'proj:env:application', actions: ['updateApplication', 'deleteApplication'] }],
  collections: [applicationDocuments],
  operations: Object.values(operations),
  parameters: {
    applicationKey: 'Key of the application.',
    versionKey: 'Version of the application, as its deployment events name it.',
    sort: 'Fields to sort by, separated by commas: `name`, `creationDate`; `-` before a field sorts in descending order.',
  },
})
