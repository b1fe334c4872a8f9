import { api, hasStatus } from '../../api.ts'
import { QueryView } from '../../components/query-view.tsx'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { AttributeResults } from './attribute-results.tsx'
import type { ExperimentPlace } from './experiment-place.ts'
import { MetricGroups } from './metric-groups.tsx'
import { MetricResults } from './metric-results.tsx'

const { experiments } = texts

/** The effect of all experiments of a holdout together on its metrics. */
export function HoldoutResults({ place, holdout, name }: { place: ExperimentPlace; holdout: string; name: string }) {
  const keys = { projectKey: place.project, environmentKey: place.environment, holdoutKey: holdout }
  const query = useQuery(`results of holdout ${JSON.stringify(keys)}`, async () => ({
    // A holdout has no results before one of its experiments has started.
    results: await api.getHoldoutResults({ ...keys, expand: ['days'] }).catch((error) => {
      if (hasStatus(error, 404)) return undefined
      throw error
    }),
  }))
  return (
    <QueryView query={query}>
      {({ results }) =>
        results ? (
          <>
            {results.sampleRatio.mismatch && <p class="error">{experiments.mismatch}</p>}
            <MetricResults
              results={results}
              label={experiments.holdoutResults(name)}
              title={experiments.holdoutChart(name)}
            />
            <MetricGroups groups={results.metricGroups} />
            <AttributeResults attributes={results.attributes} label={name} />
          </>
        ) : (
          <p class="quiet">{experiments.noHoldoutResults}</p>
        )
      }
    </QueryView>
  )
}
