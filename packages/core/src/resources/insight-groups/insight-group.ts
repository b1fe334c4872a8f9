import { documents, type Versioned } from '../../storage/collection.ts'

/** Applications whose work in one environment is scored together. */
export interface InsightGroup extends Versioned {
  readonly key: string
  readonly name: string
  readonly projectKey: string
  readonly environmentKey: string
  /** Left out for all applications. */
  readonly applicationKeys?: readonly string[]
  readonly createdAt: number
}

export const insightGroups = documents<InsightGroup>()({
  name: 'insight-group',
  address: 'proj/{projectKey}:env/{environmentKey}:insight-group/{insightGroupKey}',
  fields: ({ name, projectKey }) => ({ name, projectKey }),
  changes: {
    key: null,
    name: 'updateInsightGroup',
    projectKey: null,
    environmentKey: null,
    applicationKeys: 'updateInsightGroup',
    createdAt: null,
  },
})

/** Where a group is, as it is asked for by its key alone: no two groups of an account have the same. */
export interface InsightGroupPlace extends Versioned {
  readonly projectKey: string
  readonly environmentKey: string
}

/** Outlives an environment that is deleted with its groups; so the key of a place that leads nowhere is free. */
export const insightGroupPlaces = documents<InsightGroupPlace>()({
  name: 'insight-group-place',
  address: 'insight-group/{insightGroupKey}',
})
