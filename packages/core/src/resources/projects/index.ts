import { projects as projectDocuments } from '../../models/projects/project.ts'
import { resource } from '../../operation/resource.ts'
import { createProject } from './create-project.ts'
import { deleteProject } from './delete-project.ts'
import { getProject } from './get-project.ts'
import { listProjects } from './list-projects.ts'
import { patchProject } from './patch-project.ts'

export const projects = resource({
  title: 'Projects',
  description: 'Projects hold flags and environments.',
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
        'deleteProject',
      ],
    },
  ],
  collections: [projectDocuments],
  operations: [listProjects, createProject, getProject, patchProject, deleteProject],
  parameters: {
    keys: 'Keys, separated by commas.',
    tags: 'Tags, separated by commas.',
  },
})
