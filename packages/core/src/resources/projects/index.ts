import { projects as projectDocuments } from '../../models/projects/project.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const projects = resource({
  title: 'Projects',
  description: 'Projects contain flags and environments.',
  kinds: [
    {
      shape: 'proj',
      actions: [
        'viewProject',
        'createProject',
        'updateProjectName',
        'updateTags',
        'updateIncludeInSnippetByDefault',
        'updateDefaultClientSideAvailability',
        'updateDefaultReleasePipeline',
        'updateExperimentationSettings',
        'updateProjectFlagDefaults',
        'createApprovalRequest',
        'updateApprovalRequest',
        'reviewApprovalRequest',
        'applyApprovalRequest',
        'deleteApprovalRequest',
        'deleteProject',
      ],
    },
  ],
  collections: [projectDocuments],
  operations: Object.values(operations),
  parameters: {
    keys: 'Keys, separated by commas.',
    tags: 'Tags, separated by commas.',
  },
})
