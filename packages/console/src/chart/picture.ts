import type { ChartPoint, ChartResponse, Measure } from './chart-response.ts'
import { unitFor } from './unit.ts'

/** The content of a chart, from which both the drawing and its table are made. */
export interface Picture {
  readonly title: string
  /** Unit of the numbers, e.g. `days`. */
  readonly unit: string
  readonly shape: 'lines' | 'bars'
  /** Starts of all buckets, ms, in order. */
  readonly buckets: readonly number[]
  readonly lines: readonly PictureLine[]
}

export interface PictureLine {
  readonly name: string
  /** Index of the series. All lines of a series have the same color. */
  readonly series: number
  readonly dash: 'solid' | 'dashed' | 'dotted'
  /** One value for each bucket, in the picture's unit; null when nothing was measured. */
  readonly values: readonly (number | null)[]
}

const dashes = ['solid', 'dashed', 'dotted'] as const

/**
 * Makes the picture of a lead-time chart: one line for each series and measure. Buckets without a change have no point.
 */
export function leadTimePicture({ series }: ChartResponse, selectedMeasures: readonly Measure[]): Picture {
  const read = (point: ChartPoint, measure: Measure) => (measure === 'mean' ? point.y : point.values?.[measure])
  const nonEmptySeries = series.filter((candidate) => candidate.data.some(isFilled))
  const linesInMs = nonEmptySeries.flatMap(({ metadata: { name }, data }, index) =>
    selectedMeasures.map((measure, rank) => ({
      name: selectedMeasures.length === 1 ? name : `${name}, ${shortName(measure)}`,
      series: index,
      dash: dashes[rank % dashes.length]!,
      values: data.map((point) => (isFilled(point) ? (read(point, measure) ?? null) : null)),
    })),
  )
  const unit = unitFor(longestOf(linesInMs))
  const lines = linesInMs.map((line) => ({
    ...line,
    values: line.values.map((value) => (value === null ? null : value / unit.ms)),
  }))
  return { title: 'Lead time', unit: unit.name, shape: 'lines', buckets: bucketsOf(series), lines }
}

/** Makes the picture of a deployment frequency chart: stacked bars, with 0 for buckets without a deployment. */
export function frequencyPicture({ series }: ChartResponse): Picture {
  const lines = series
    .filter(({ data }) => data.some(({ y }) => y > 0))
    .map(({ metadata: { name }, data }, index) => ({
      name,
      series: index,
      dash: 'solid' as const,
      values: data.map(({ y }) => y),
    }))
  return { title: 'Deployment frequency', unit: 'deployments', shape: 'bars', buckets: bucketsOf(series), lines }
}

/** Returns the name of a measure for running text: `mean`, `P90`. */
export function shortName(measure: Measure): string {
  return measure === 'mean' ? measure : measure.toUpperCase()
}

function isFilled({ values }: ChartPoint): boolean {
  return (values?.count ?? 0) > 0
}

function bucketsOf(series: ChartResponse['series']): number[] {
  return series[0]?.data.map(({ x }) => x) ?? []
}

function longestOf(lines: readonly { readonly values: readonly (number | null)[] }[]): number {
  return lines.reduce(
    (max, { values }) => values.reduce<number>((longest, value) => Math.max(longest, value ?? 0), max),
    0,
  )
}
