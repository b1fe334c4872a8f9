import { documents, type Versioned } from '../../storage/collection.ts'

/** A link of a resource to a view. It is stored twice: with the view, and with the resource. */
export interface ViewLink extends Versioned {
  readonly resourceKey: string
  /** Id of the environment of a segment; flags have no environment. */
  readonly environmentId?: string
  readonly environmentKey?: string
  /** Integer ms. */
  readonly linkedAt: number
}

const createdAt = ({ linkedAt }: ViewLink) => linkedAt

const linksOfView = (name: string) =>
  documents<ViewLink>()({
    name,
    recorded: true,
    address: 'proj/{projectKey}:view/{viewKey}:link/{linkKey}',
    fields: ({ resourceKey, environmentId, environmentKey, linkedAt }) => ({
      resourceKey,
      environmentId: environmentId ?? null,
      environmentKey: environmentKey ?? null,
      linkedAt,
    }),
    createdAt,
  })

/** Links of a view: flags by their key, segments by `{environmentKey}/{segmentKey}`. */
export const viewFlags = linksOfView('view-flag')
export const viewSegments = linksOfView('view-segment')

/**
 * Links stored at the address of the linked resource, with the keys of its views. Policies with `;view:…` read them.
 */
export const flagViews = documents<ViewLink>()({
  name: 'flag-view',
  recorded: true,
  address: 'proj/{projectKey}:env/*:flag/{flagKey}:view/{viewKey}',
  createdAt,
})
export const segmentViews = documents<ViewLink>()({
  name: 'segment-view',
  recorded: true,
  address: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}:view/{viewKey}',
  createdAt,
})

/**
 * Returns the key of a segment among the links of a view. No key contains a slash
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys).
 */
export function segmentLinkKey(environmentKey: string, segmentKey: string): string {
  return `${environmentKey}/${segmentKey}`
}
