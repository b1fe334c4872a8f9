import { documents, type Versioned } from '../../storage/collection.ts'
import type { Condition, Order } from '../../storage/port.ts'

/** The commit with which the last reference to a flag left a branch; never changed. */
export interface Extinction extends Versioned {
  readonly repo: string
  readonly branch: string
  readonly revision: string
  readonly message: string
  readonly time: number
  readonly flagKey: string
  readonly projKey: string
}

/** At the repository and not at the branch, which is often gone before; its key is a hash of {@link extinctionIdentity}. */
export const extinctions = documents<Extinction>()({
  name: 'code-reference-extinction',
  address: 'code-reference-repository/{repo}:extinction/{extinction}',
  fields: ({ repo, branch, time, flagKey, projKey }) => ({ repo, branch, time, flagKey, projKey }),
})

/** What one extinction is known by: a flag leaves a branch once with a commit, so told again it is the same event. */
export function extinctionIdentity({ repo, branch, revision, flagKey, projKey }: Omit<Extinction, 'version'>): string {
  return JSON.stringify([repo, projKey, flagKey, revision, branch])
}

export interface ExtinctionFilter {
  /** Inclusive, ms. */
  readonly from: number
  /** Exclusive, ms. */
  readonly to: number
  readonly branchName?: string
  readonly projKey?: string
  readonly flagKey?: string
}

export const newestFirst: readonly Order[] = [{ field: 'time', type: 'number', descending: true }]

/** The extinctions of some repositories that pass a filter. */
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
