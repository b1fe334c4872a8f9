import { documents, type Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'

/** That something is linked to a view. It is stored twice: with the view, and with the thing that is linked. */
export interface ViewLink extends Versioned {
  readonly resourceKey: string
  /** Of segments only. */
  readonly environmentId?: string
  readonly environmentKey?: string
  /** Integer ms. */
  readonly linkedAt: number
}

const withView = (name: string) =>
  documents<ViewLink>()({
    name,
    address: 'proj/{projectKey}:view/{viewKey}:link/{linkKey}',
    fields: ({ resourceKey, environmentId, environmentKey, linkedAt }) => ({
      resourceKey,
      environmentId: environmentId ?? null,
      environmentKey: environmentKey ?? null,
      linkedAt,
    }),
  })

/** What a view has: flags by their key, segments by `{environmentKey}/{segmentKey}`. */
export const viewFlags = withView('view-flag')
export const viewSegments = withView('view-segment')

/** The views that a thing is linked to, at its own address: policies with `;view:…` look here. */
export const flagViews = documents<ViewLink>()({
  name: 'flag-view',
  address: 'proj/{projectKey}:env/*:flag/{flagKey}:view/{viewKey}',
})
export const segmentViews = documents<ViewLink>()({
  name: 'segment-view',
  address: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}:view/{viewKey}',
})

/** The name of a segment among the links of a view; no key contains a slash (D8). */
export function segmentLinkKey(environmentKey: string, segmentKey: string): string {
  return `${environmentKey}/${segmentKey}`
}

// What is removed takes the links at its own address along. Those on the other side lie scattered over views or things,
// and one may be made until the very commit, so they are named by what they are and not listed first.

/** Takes a flag that is being removed out of all views. */
export function forgetFlag(tx: Writer, { projectKey, flagKey }: Readonly<Record<'projectKey' | 'flagKey', string>>) {
  tx.discardAll(viewFlags, { projectKey }, [{ op: 'equals', field: 'key', value: flagKey }])
}

/** Takes a segment that is being removed out of all views. */
export function forgetSegment(
  tx: Writer,
  { projectKey, environmentKey, segmentKey }: Readonly<Record<'projectKey' | 'environmentKey' | 'segmentKey', string>>,
) {
  const value = segmentLinkKey(environmentKey, segmentKey)
  tx.discardAll(viewSegments, { projectKey }, [{ op: 'equals', field: 'key', value }])
}

/** Takes the segments of an environment that is being removed out of all views. */
export function forgetSegmentsOf(
  tx: Writer,
  { projectKey, environmentKey }: Readonly<Record<'projectKey' | 'environmentKey', string>>,
) {
  tx.discardAll(viewSegments, { projectKey }, [{ op: 'equals', field: 'environmentKey', value: environmentKey }])
}

/** Takes all things out of a view that is being removed. */
export function forgetView(tx: Writer, { projectKey, viewKey }: Readonly<Record<'projectKey' | 'viewKey', string>>) {
  const links = [{ op: 'equals', field: 'key', value: viewKey }] as const
  tx.discardAll(flagViews, { projectKey }, links)
  tx.discardAll(segmentViews, { projectKey }, links)
}
