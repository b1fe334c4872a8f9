import { experimentChart } from '../../../chart/results-chart.ts'
import type { ResponseOf } from '../../api.ts'
import { DataTable } from '../../components/data-table.tsx'
import { SvgView } from '../../components/svg-view.tsx'
import { texts } from '../../texts.ts'

/** The results of some metrics, of an experiment, a holdout or a group. */
export type Metrics = ResponseOf<'getExperimentAnalysis'>['metrics']
type Days = ResponseOf<'getExperimentAnalysis'>['days']
type Treatment = Metrics[number]['treatments'][number]

const { experiments } = texts

const percent = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})
const number = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 })

/**
 * An interval for each metric and treatment, as a chart and as a table, and the difference of the first metric over
 * time.
 *
 * @param label label of the table.
 * @param title title of the chart.
 */
export function MetricResults({
  results: { metrics, days },
  label,
  title,
}: {
  results: { readonly metrics: Metrics; readonly days?: Days }
  label: string
  title: string
}) {
  return (
    <>
      <Chart metrics={metrics} days={days} title={title} />
      <MetricTable metrics={metrics} label={label} />
    </>
  )
}

/** A row for each metric and treatment. */
export function MetricTable({ metrics, label }: { metrics: Metrics; label: string }) {
  return (
    <DataTable
      label={label}
      columns={experiments.columnsOfResults}
      empty={experiments.noResults}
      rows={metrics.flatMap((metric) =>
        metric.treatments.map((treatment) => ({
          key: `${metric.key} ${treatment.treatmentId}`,
          cells: [metric.name, ...resultCells(treatment)],
        })),
      )}
    />
  )
}

/** Returns the cells of a row of results, except the first cell, which names the metric. */
export function resultCells({ treatmentName, baseline, units, value, comparison }: Treatment) {
  const { estimate, lower, upper } = comparison?.relativeDifference ?? {}
  const hasInterval = estimate !== undefined && lower !== undefined && upper !== undefined
  return [
    treatmentName,
    number.format(units),
    value === undefined ? '' : number.format(value),
    hasInterval ? experiments.interval(percent.format(estimate), percent.format(lower), percent.format(upper)) : '',
    baseline ? experiments.control : comparison && experiments.verdicts[comparison.verdict],
  ]
}

function Chart({ metrics, days, title }: { metrics: Metrics; days: Days; title: string }) {
  const chart = experimentChart({ metrics, days })
  if (chart.metrics.every(({ variations }) => variations.length === 0))
    return <p class="quiet">{experiments.noResults}</p>
  return (
    <SvgView
      key={JSON.stringify(chart)}
      label={title}
      draw={async (size) => {
        const { experimentSvg } = await import('../../../svg.ts')
        return experimentSvg(chart, { title, ...size })
      }}
    />
  )
}
