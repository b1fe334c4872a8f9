import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { SelectField } from '../../components/fields.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { AttributeResults } from './attribute-results.tsx'
import type { ExperimentKeys } from './experiment-place.ts'
import { MetricGroups } from './metric-groups.tsx'
import { MetricResults } from './metric-results.tsx'

const { experiments } = texts
const methods = ['bayesian', 'frequentist', 'sequential'] as const

/** The results of an experiment: an interval for each metric and treatment, and its metric groups. */
export function ExperimentResults({ keys, name }: { keys: ExperimentKeys; name: string }) {
  const [method, setMethod] = useState<(typeof methods)[number]>('bayesian')
  const query = useQuery(`results ${JSON.stringify(keys)} ${method}`, () =>
    api.getExperimentAnalysis({ ...keys, method, expand: ['days'] }),
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
            <MetricResults results={analysis} label={experiments.results} title={experiments.chart(name)} />
            <MetricGroups groups={analysis.metricGroups} />
            <AttributeResults attributes={analysis.attributes} label={name} />
          </>
        )}
      </QueryView>
    </section>
  )
}
