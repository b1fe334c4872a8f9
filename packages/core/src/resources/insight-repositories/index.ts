import { associatedRepositories } from '../../models/insight-repositories/project-repository.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const insightRepositories = resource({
  title: 'Insight repositories',
  description: 'Repositories whose pull requests count for the insights of a project.',
  kinds: [{ shape: 'proj:repository', actions: ['associateRepository', 'dissociateRepository'] }],
  collections: [associatedRepositories],
  operations: Object.values(operations),
})
