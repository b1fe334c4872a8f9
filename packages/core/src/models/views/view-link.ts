import { documents, type Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'

/** A link of a resource to a view. It is stored twice: with the view, and with the resource. */
export interface ViewLink extends Versioned {
  readonly resourceKey: string
  /** Only for segments. */
  readonly environmentId?: string
  readonly environmentKey?: string
  /** Integer ms. */
  readonly linkedAt: number
}

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
})
export const segmentViews = documents<ViewLink>()({
  name: 'segment-view',
  recorded: true,
  address: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}:view/{viewKey}',
})

/**
 * Returns the key of a segment among the links of a view. No key contains a slash
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys).
 */
export function segmentLinkKey(environmentKey: string, segmentKey: string): string {
  return `${environmentKey}/${segmentKey}`
}

// Deleting a resource deletes the links that are stored at its own address. The links of the other side are stored with
// many views or resources, and new ones can be added until the commit. They are therefore deleted by a condition,
// without listing them first.

/** Deletes the links of a deleted flag from all views. */
export function deleteLinksOfFlag(
  tx: Writer,
  { projectKey, flagKey }: Readonly<Record<'projectKey' | 'flagKey', string>>,
) {
  tx.discardAll(viewFlags, { projectKey }, [{ op: 'equals', field: 'key', value: flagKey }])
}

/** Deletes the links of a deleted segment from all views. */
export function deleteLinksOfSegment(
  tx: Writer,
  { projectKey, environmentKey, segmentKey }: Readonly<Record<'projectKey' | 'environmentKey' | 'segmentKey', string>>,
) {
  const value = segmentLinkKey(environmentKey, segmentKey)
  tx.discardAll(viewSegments, { projectKey }, [{ op: 'equals', field: 'key', value }])
}

/** Deletes the links of all segments of a deleted environment from all views. */
export function deleteLinksOfEnvironment(
  tx: Writer,
  { projectKey, environmentKey }: Readonly<Record<'projectKey' | 'environmentKey', string>>,
) {
  tx.discardAll(viewSegments, { projectKey }, [{ op: 'equals', field: 'environmentKey', value: environmentKey }])
}

/** Deletes all links of a deleted view. */
export function deleteLinksOfView(
  tx: Writer,
  { projectKey, viewKey }: Readonly<Record<'projectKey' | 'viewKey', string>>,
) {
  const links = [{ op: 'equals', field: 'key', value: viewKey }] as const
  tx.discardAll(flagViews, { projectKey }, links)
  tx.discardAll(segmentViews, { projectKey }, links)
}
