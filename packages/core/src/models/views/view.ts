import { documents, shownTime, type Versioned } from '../../storage/collection.ts'
import { maintainerSentences } from '../maintainers/maintainer.ts'

/**
 * A view: flags and segments of a project that callers can list together, and to which policies can grant rights
 * together.
 */
export interface View extends Versioned {
  readonly id: string
  readonly projectId: string
  readonly key: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  /** Maintainer of the view: a member, a team or neither, never both. */
  readonly maintainerId?: string
  readonly maintainerTeamKey?: string
  readonly archived: boolean
  /** Integer ms. */
  readonly createdAt: number
  readonly updatedAt: number
  /**
   * Increases when a resource is unlinked, so that linking it concurrently conflicts. Otherwise one of the two
   * documents of a link could remain. Linking alone does not change the view, so links can be added concurrently.
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
  shown: {
    maintainerId: (id) => ({ maintainer: { kind: 'member', id } }),
    maintainerTeamKey: (id) => ({ maintainer: { kind: 'team', id } }),
    createdAt: shownTime('createdAt'),
    updatedAt: shownTime('updatedAt'),
    unlinks: null,
  },
  sentences: { changed: maintainerSentences },
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
