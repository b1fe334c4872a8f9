import { documents, shownTime, type Versioned } from '../../storage/collection.ts'

/** Applications whose work in one environment is scored together. */
export interface InsightGroup extends Versioned {
  readonly key: string
  readonly name: string
  readonly projectKey: string
  readonly environmentKey: string
  /** Omitted for all applications. */
  readonly applicationKeys?: readonly string[]
  readonly createdAt: number
}

export const insightGroups = documents<InsightGroup>()({
  name: 'insight-group',
  address: 'proj/{projectKey}:env/{environmentKey}:insight-group/{insightGroupKey}',
  fields: ({ name, projectKey }) => ({ name, projectKey }),
  shown: { createdAt: shownTime('createdAt') },
  changes: {
    key: null,
    name: 'updateInsightGroup',
    projectKey: null,
    environmentKey: null,
    applicationKeys: 'updateInsightGroup',
    createdAt: null,
  },
})

/**
 * Index entry with the environment of a group, because requests name a group only by its key, which is unique in the
 * account.
 */
export interface InsightGroupIndexEntry extends Versioned {
  readonly projectKey: string
  readonly environmentKey: string
}

/**
 * An entry of an earlier version, which has no fields, remains when an environment is deleted with its groups. The key
 * of an entry without a group is free.
 */
export const insightGroupIndex = documents<InsightGroupIndexEntry>()({
  name: 'insight-group-place',
  recorded: true,
  address: 'insight-group/{insightGroupKey}',
  fields: ({ projectKey, environmentKey }) => ({ projectKey, environmentKey }),
})
