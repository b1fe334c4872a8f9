import { experimentChart } from '../../../chart/results-chart.ts'
import type { ResponseOf } from '../../api.ts'
import { DataTable } from '../../components/data-table.tsx'
import { SvgView } from '../../components/svg-view.tsx'
import { texts } from '../../texts.ts'
import { resultCells } from './metric-results.tsx'

type Attribute = ResponseOf<'getExperimentAnalysis'>['attributes'][number]

const { experiments } = texts

/** The results of an experiment or a holdout, divided by the values of each of its attributes. */
export function AttributeResults({ attributes, label }: { attributes: readonly Attribute[]; label: string }) {
  return (
    <>
      {attributes.map((each) => (
        <ByValue key={each.attribute} attribute={each} label={`${label}: ${experiments.byAttribute(each.attribute)}`} />
      ))}
    </>
  )
}

/** The first metric as a chart with a row for each value, and all metrics as a table. */
function ByValue({ attribute: { attribute, values }, label }: { attribute: Attribute; label: string }) {
  const [columnOfMetric = '', ...columns] = experiments.columnsOfResults
  return (
    <section>
      <h3>{experiments.byAttribute(attribute)}</h3>
      <ValueChart attribute={{ attribute, values }} />
      <DataTable
        label={label}
        columns={[experiments.attributeValue, columnOfMetric, ...columns]}
        empty={experiments.noAttributeValues(attribute)}
        rows={values.flatMap(({ value, metrics }) =>
          metrics.flatMap((metric) =>
            metric.treatments.map((treatment) => ({
              key: JSON.stringify([value, metric.key, treatment.treatmentId]),
              cells: [value, metric.name, ...resultCells(treatment)],
            })),
          ),
        )}
      />
    </section>
  )
}

function ValueChart({ attribute: { attribute, values } }: { attribute: Attribute }) {
  const [primary] = values[0]?.metrics ?? []
  // Each value is a row of the chart, in place of each metric.
  const metrics = values.flatMap(({ value, metrics: [metric] }) =>
    metric ? experimentChart({ metrics: [{ ...metric, name: value }] }).metrics : [],
  )
  if (!primary || metrics.every(({ variations }) => variations.length === 0)) return null
  const title = experiments.attributeChart(primary.name, attribute)
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
