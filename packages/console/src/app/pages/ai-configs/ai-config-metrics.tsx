import { api, type ResponseOf } from '../../api.ts'
import { DataTable } from '../../components/data-table.tsx'
import { QueryView } from '../../components/query-view.tsx'
import type { AIConfigPlace } from '../../review/reviewed-change.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'

const { aiConfigs } = texts
const week = 7 * 86_400_000
const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

/** The metrics of the variations of an AI config in an environment, of the last week. */
export function AIConfigMetrics({
  place,
  variations,
}: {
  place: AIConfigPlace
  variations: ResponseOf<'getAIConfig'>['variations']
}) {
  const keys = { projectKey: place.project, configKey: place.config, env: place.environment }
  const query = useQuery(`AI metrics ${JSON.stringify(keys)}`, () => {
    const to = Date.now()
    return api.getAIConfigMetricsByVariation({ ...keys, from: to - week, to })
  })
  const nameOf = (key: string) => variations.find((variation) => variation.key === key)?.name ?? key
  return (
    <section class="panel">
      <h2>{aiConfigs.metrics}</h2>
      <QueryView query={query}>
        {(items) => (
          <DataTable
            label={aiConfigs.metrics}
            columns={aiConfigs.columnsOfMetrics}
            empty={aiConfigs.noMetrics}
            rows={items
              .filter(({ metrics }) => metrics.generationCount > 0)
              .map(({ variationKey, metrics }) => ({
                key: variationKey,
                cells: [
                  nameOf(variationKey),
                  number.format(metrics.generationCount),
                  number.format(metrics.generationErrorCount),
                  number.format(metrics.totalTokens),
                  metrics.averageDurationMs !== undefined &&
                    aiConfigs.milliseconds(number.format(metrics.averageDurationMs)),
                  metrics.satisfactionRating !== undefined && number.format(metrics.satisfactionRating),
                ],
              }))}
          />
        )}
      </QueryView>
    </section>
  )
}
