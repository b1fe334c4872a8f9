import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { DataTable } from '../../components/data-table.tsx'
import { SelectField } from '../../components/fields.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SvgView } from '../../components/svg-view.tsx'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import type { ExperimentKeys } from './experiment-place.ts'

type Analysis = ResponseOf<'getExperimentAnalysis'>
type Treatment = Analysis['metrics'][number]['treatments'][number]

const { experiments } = texts
const methods = ['bayesian', 'frequentist', 'sequential'] as const

const percent = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})
const number = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 })

/** The results of an experiment: an interval for each metric and treatment, as a chart and as a table. */
export function ExperimentResults({ keys, name }: { keys: ExperimentKeys; name: string }) {
  const [method, setMethod] = useState<(typeof methods)[number]>('bayesian')
  const query = useQuery(`results ${JSON.stringify(keys)} ${method}`, () =>
    api.getExperimentAnalysis({ ...keys, method }),
  )
  return (
    <section class="panel">
      <h2>{experiments.results}</h2>
      <SelectField
        label={experiments.method}
        value={method}
        onValue={setMethod}
        options={methods.map((each) => [each, experiments.methods[each]] as const)}
      />
      <QueryView query={query}>
        {(analysis) => (
          <>
            {analysis.sampleRatio.mismatch && <p class="error">{experiments.mismatch}</p>}
            <Chart analysis={analysis} name={name} />
            <DataTable
              label={experiments.results}
              columns={experiments.columnsOfResults}
              empty={experiments.noResults}
              rows={analysis.metrics.flatMap((metric) =>
                metric.treatments.map((treatment) => ({
                  key: `${metric.key} ${treatment.treatmentId}`,
                  cells: [metric.name, ...cellsOf(treatment)],
                })),
              )}
            />
          </>
        )}
      </QueryView>
    </section>
  )
}

function cellsOf({ treatmentName, baseline, units, value, comparison }: Treatment) {
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

function Chart({ analysis, name }: { analysis: Analysis; name: string }) {
  const metrics = analysis.metrics.flatMap((metric) => {
    const variations = metric.treatments.flatMap(({ treatmentName, comparison }) =>
      comparison?.relativeDifference
        ? [{ variation: treatmentName, verdict: comparison.verdict, ...comparison.relativeDifference }]
        : [],
    )
    return variations.length > 0 ? [{ metric: metric.name, variations }] : []
  })
  if (metrics.length === 0) return <p class="quiet">{experiments.noResults}</p>
  const title = experiments.chart(name)
  return (
    <SvgView
      key={JSON.stringify(metrics)}
      label={title}
      draw={async (size) => {
        const { experimentSvg } = await import('../../../svg.ts')
        return experimentSvg({ metrics }, { title, ...size })
      }}
    />
  )
}
