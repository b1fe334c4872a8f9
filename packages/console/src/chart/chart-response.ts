/** The parts of a chart response of the API that are drawn. */
export interface ChartResponse {
  readonly metadata: {
    readonly summary?: Readonly<Record<string, DurationStats>> | unknown
    readonly metrics?: Readonly<Record<string, { readonly indicator: string }>>
  }
  readonly series: readonly ChartSeries[]
}

/** One line or one set of bars of a chart. */
export interface ChartSeries {
  readonly metadata: { readonly name: string; readonly count?: number }
  readonly data: readonly ChartPoint[]
}

/** One bucket of a chart. */
export interface ChartPoint {
  /** Start of the bucket, ms. */
  readonly x: number
  readonly y: number
  /** Percentiles of the bucket by name, ms; present only if the request expands them. */
  readonly values?: Readonly<Record<string, number | undefined>>
}

/** The number of durations, and their mean and percentiles in ms. */
export type DurationStats = Readonly<Record<string, number | undefined>>

/** Measures of a bucket that a lead-time chart can show, with their labels. */
export const measures = {
  mean: 'Mean',
  p50: 'Median (P50)',
  p75: 'P75',
  p90: 'P90',
  p95: 'P95',
  p99: 'P99',
} as const

/** The name of a measure. */
export type Measure = keyof typeof measures
