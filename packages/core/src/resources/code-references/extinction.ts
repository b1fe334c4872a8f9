import { documents, type Versioned } from '../../storage/collection.ts'
import type { Condition, Order } from '../../storage/port.ts'

/** The commit that removed the last reference to a flag from a branch. Never changed. */
export interface Extinction extends Versioned {
  readonly repo: string
  readonly branch: string
  readonly revision: string
  readonly message: string
  readonly time: number
  readonly flagKey: string
  readonly projKey: string
}

/**
 * Stored under the repository, because the branch is often deleted earlier. The key is a hash of {@link
 * extinctionIdentity}.
 */
export const extinctions = documents<Extinction>()({
  name: 'code-reference-extinction',
  address: 'code-reference-repository/{repo}:extinction/{extinction}',
  fields: ({ repo, branch, time, flagKey, projKey }) => ({ repo, branch, time, flagKey, projKey }),
})

/**
 * Returns the identity of an extinction. A commit removes a flag from a branch once, so a repeated event is the same
 * extinction.
 */
export function extinctionIdentity({ repo, branch, revision, flagKey, projKey }: Omit<Extinction, 'version'>): string {
  return JSON.stringify([repo, projKey, flagKey, revision, branch])
}

export interface ExtinctionFilter {
  /** Start of the range, inclusive: integer ms, UTC. */
  readonly from: number
  /** End of the range, exclusive: integer ms, UTC. */
  readonly to: number
  readonly branchName?: string
  readonly projKey?: string
  readonly flagKey?: string
}

export const newestFirst: readonly Order[] = [{ field: 'time', type: 'number', descending: true }]

/** Returns the conditions of the extinctions of some repositories that match a filter. */
export function extinctionConditions(
  repos: readonly string[],
  { from, to, branchName, projKey, flagKey }: ExtinctionFilter,
): Condition[] {
  const equals = (field: string, value: string | undefined): Condition[] =>
    value === undefined ? [] : [{ op: 'equals', field, value }]
  return [
    { op: 'anyOf', field: 'repo', values: repos },
    { op: 'range', field: 'time', from, to },
    ...equals('branch', branchName),
    ...equals('projKey', projKey),
    ...equals('flagKey', flagKey),
  ]
}
