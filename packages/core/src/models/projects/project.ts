import { documents, type Versioned } from '../../storage/collection.ts'

/** A project: a set of flags and the environments in which they are configured. */
export interface Project extends Versioned {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly tags: readonly string[]
  /** Stored by earlier versions. Responses derive it from `defaultClientSideAvailability`. */
  readonly includeInSnippetByDefault?: boolean
  readonly defaultClientSideAvailability: ClientSideAvailability
  /** Set as soon as the project has a release pipeline. */
  readonly defaultReleasePipelineKey?: string
  /**
   * Number of release pipelines; undefined means 0. It is stored in the project, so that two concurrent creations
   * conflict and the count stays exact.
   */
  readonly releasePipelines?: number
  readonly createdAt: number
}

/** Client-side SDKs that may read a flag. */
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
  shown: {
    id: '_id',
    // Change log entries of earlier versions contain changes of this property, which is no longer written.
    includeInSnippetByDefault: 'includeInSnippetByDefault',
    defaultClientSideAvailability: (availability) => ({
      defaultClientSideAvailability: availability,
      includeInSnippetByDefault: availability.usingEnvironmentId,
    }),
    releasePipelines: null,
    createdAt: null,
  },
  sentences: {
    changed: { defaultReleasePipelineKey: 'default release pipeline' },
  },
  changes: {
    id: null,
    key: null,
    name: 'updateProjectName',
    tags: 'updateTags',
    includeInSnippetByDefault: null,
    defaultClientSideAvailability: 'updateDefaultClientSideAvailability',
    defaultReleasePipelineKey: 'updateDefaultReleasePipeline',
    releasePipelines: null,
    createdAt: null,
  },
})
