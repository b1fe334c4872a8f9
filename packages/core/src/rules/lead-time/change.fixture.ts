import type { LeadTimeSamples } from './index.ts'

/** A sample as one object; null if a time is missing. */
export interface Change {
  application: string
  startedAt: number | null
  openedAt: number | null
  mergedAt: number | null
  deployStartedAt: number | null
  deployedAt: number
}

/** Returns changes as the columns that a storage returns. */
export function samplesOf(changes: readonly Change[]): LeadTimeSamples {
  const ordered = changes.toSorted((a, b) => a.deployedAt - b.deployedAt)
  const labels = [...new Set(ordered.map(({ application }) => application))]
  const column = (name: 'startedAt' | 'openedAt' | 'mergedAt' | 'deployStartedAt') =>
    Float64Array.from(ordered, (change) => change[name] ?? NaN)
  return {
    at: Float64Array.from(ordered, ({ deployedAt }) => deployedAt),
    labels,
    label: Uint32Array.from(ordered, ({ application }) => labels.indexOf(application)),
    values: [column('startedAt'), column('openedAt'), column('mergedAt'), column('deployStartedAt')],
  }
}
