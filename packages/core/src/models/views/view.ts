import { documents, type Versioned } from '../../storage/collection.ts'

/** A view: flags and segments of a project that somebody looks at, and is given rights to, together. */
export interface View extends Versioned {
  readonly id: string
  readonly projectId: string
  readonly key: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  /** Who looks after it: a member, a team or nobody, never both. */
  readonly maintainerId?: string
  readonly maintainerTeamKey?: string
  readonly archived: boolean
  /** Integer ms. */
  readonly createdAt: number
  readonly updatedAt: number
  /**
   * Grows when something is unlinked, so that a link which is made at the same time sees another version: both at once
   * could otherwise leave one side of a link behind. Links alone leave the document as it is and go side by side.
   */
  readonly unlinks: number
}

export interface ViewKeys {
  readonly projectKey: string
  readonly viewKey: string
}

export const views = documents<View>()({
  name: 'view',
  address: 'proj/{projectKey}:view/{viewKey}',
  fields: ({ name, description, tags, maintainerId, maintainerTeamKey, archived, createdAt, updatedAt }) => ({
    name,
    description,
    tags,
    maintainerId: maintainerId ?? null,
    maintainerTeamKey: maintainerTeamKey ?? null,
    archived,
    createdAt,
    updatedAt,
  }),
  changes: {
    id: null,
    projectId: null,
    key: null,
    name: 'updateView',
    description: 'updateView',
    tags: 'updateView',
    maintainerId: 'updateView',
    maintainerTeamKey: 'updateView',
    archived: 'updateView',
    createdAt: null,
    updatedAt: null,
    unlinks: null,
  },
})
