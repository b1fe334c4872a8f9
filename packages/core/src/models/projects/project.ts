import { documents, type Versioned } from '../../storage/collection.ts'

/** A project: flags, and the environments they live in. */
export interface Project extends Versioned {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly tags: readonly string[]
  readonly includeInSnippetByDefault: boolean
  readonly defaultClientSideAvailability: ClientSideAvailability
  /** There is one as soon as the project has a release pipeline. */
  readonly defaultReleasePipelineKey?: string
  /** How many release pipelines there are; none where it is left out. Two that are made at once cannot miscount. */
  readonly releasePipelines?: number
  readonly createdAt: number
}

/** Which client-side SDKs may see a flag. */
export interface ClientSideAvailability {
  readonly usingEnvironmentId: boolean
  readonly usingMobileKey: boolean
}

export const projects = documents<Project>()({
  name: 'project',
  noun: 'project',
  address: 'proj/{projectKey}',
  fields: ({ name, tags, createdAt }) => ({ name, tags, createdAt }),
  attributes: ({ tags }) => ({ tags }),
  changes: {
    id: null,
    key: null,
    name: 'updateProjectName',
    tags: 'updateTags',
    includeInSnippetByDefault: 'updateIncludeInSnippetByDefault',
    defaultClientSideAvailability: 'updateDefaultClientSideAvailability',
    defaultReleasePipelineKey: 'updateDefaultReleasePipeline',
    releasePipelines: null,
    createdAt: null,
  },
})
