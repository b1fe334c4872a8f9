import * as v from 'valibot'
import { list } from '../../operation/schema.ts'

const metric = v.object({
  value: v.number(),
  unit: v.string(),
  modifier: v.string(),
  indicator: v.string(),
  tiers: list(v.object({ indicator: v.string(), description: v.string() })),
})

export type MetricResponse = v.InferOutput<typeof metric>

type Schema = v.GenericSchema<unknown, unknown>

interface ChartShape<Name extends string, Unit extends string, Summary extends Schema, Values extends Schema> {
  readonly name: Name
  /** Unit of the y axis. */
  readonly yAxis: Unit
  readonly summary: Summary
  /** Additional values of points. */
  readonly values: Values
}

/** Makes the response schema of a chart ("Lead-time chart" of the specification). All charts have this shape. */
export const chartResponse = <
  const Name extends string,
  const Unit extends string,
  Summary extends Schema,
  Values extends Schema,
>({
  name,
  yAxis,
  summary,
  values,
}: ChartShape<Name, Unit, Summary, Values>) =>
  v.object({
    metadata: v.object({
      summary,
      xAxis: v.literal('timestamp'),
      yAxis: v.literal(yAxis),
      name: v.literal(name),
      metrics: v.record(v.string(), metric),
    }),
    series: list(
      v.object({
        metadata: v.object({
          name: v.string(),
          count: v.number(),
          bounds: list(v.object({ name: v.string(), value: v.number() })),
        }),
        data: list(v.object({ x: v.number(), y: v.number(), values })),
      }),
    ),
  })

interface ChartSeries<Values> {
  readonly name: string
  readonly count: number
  readonly points: readonly { readonly x: number; readonly y: number; readonly values: Values }[]
}

/**
 * Serializes one line of a chart.
 *
 * @param isBounding returns true if a point counts for the bounds of the line.
 */
export function serializeSeries<Values>(
  { name, count, points }: ChartSeries<Values>,
  isBounding: (values: Values) => boolean = () => true,
) {
  const values = points.filter((point) => isBounding(point.values)).map((point) => point.y)
  return { metadata: { name, count, bounds: boundsOf(values) }, data: points }
}

/** Returns the minimum and the maximum of a line, or an empty list when it has no values. */
function boundsOf(values: readonly number[]): { name: string; value: number }[] {
  if (values.length === 0) return []
  return [
    { name: 'min', value: Math.min(...values) },
    { name: 'max', value: Math.max(...values) },
  ]
}
