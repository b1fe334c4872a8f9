import type { ResponseOf } from '../../api.ts'
import { DataTable } from '../../components/data-table.tsx'
import { texts } from '../../texts.ts'
import { MetricTable } from './metric-results.tsx'

type Group = ResponseOf<'getExperimentAnalysis'>['metricGroups'][number]

const { experiments } = texts
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
const number = new Intl.NumberFormat()

/** The metric groups of an experiment or a holdout: the steps of funnels, and the metrics of other groups. */
export function MetricGroups({ groups }: { groups: readonly Group[] }) {
  return (
    <>
      {groups.map((group) => (
        <section key={group.key}>
          <h3>{group.kind === 'funnel' ? experiments.funnel(group.name) : group.name}</h3>
          {group.kind === 'funnel' ? (
            <Funnel group={group} />
          ) : (
            <MetricTable metrics={group.metrics} label={group.name} />
          )}
        </section>
      ))}
    </>
  )
}

/** For each treatment, the share of units that reached a step, among the units that reached the previous step. */
function Funnel({ group: { name, metrics, completion } }: { group: Group }) {
  const treatments = metrics[0]?.treatments ?? []
  const steps = [...metrics, ...(completion ? [{ ...completion, name: experiments.completion }] : [])]
  return (
    <DataTable
      label={experiments.funnel(name)}
      columns={[experiments.step, ...treatments.map(({ treatmentName }) => treatmentName)]}
      empty={experiments.noResults}
      rows={steps.map((step, index) => ({
        key: `${index}`,
        cells: [
          step.name,
          ...step.treatments.map(({ value, units }) =>
            value === undefined ? '' : experiments.reached(percent.format(value), number.format(units)),
          ),
        ],
      }))}
    />
  )
}
