import type { ChartResponse } from '../../../chart/chart-response.ts'
import { explain, indicatorNames, isScored, type Scores, scoreNames } from '../../../page/score-text.ts'
import { api } from '../../api.ts'
import { DataTable } from '../../components/data-table.tsx'
import { SelectField } from '../../components/fields.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SvgView } from '../../components/svg-view.tsx'
import { currentQuery, setQuery } from '../../navigation.tsx'
import { basePath } from '../../server-settings.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'

interface Place {
  readonly projectKey: string
  readonly environmentKey: string
}

const { insights } = texts
const day = 86_400_000
const periods = ['30', '90', '365'] as const

/** The charts and scores of an environment. */
export function InsightsPage({
  params: { project = '', environment = '' },
}: {
  params: Readonly<Record<string, string>>
}) {
  const place = { projectKey: project, environmentKey: environment }
  return (
    <>
      <PageTitle title={insights.title(environment)} />
      <p>
        <a href={`${basePath}/insights?${new URLSearchParams({ project, environment })}`}>{insights.more}</a>
      </p>
      <Charts place={place} />
      <ScoreTable place={place} />
    </>
  )
}

function Charts({ place }: { place: Place }) {
  const chosen = currentQuery.value.get('days')
  const period = periods.find((each) => each === chosen) ?? '30'
  const query = useQuery(`charts ${JSON.stringify(place)} ${period}`, async () => {
    const to = Math.ceil(Date.now() / day) * day
    const buckets =
      period === '365' ? { bucketType: 'rolling' as const, bucketMs: String(7 * day) } : { bucketType: 'day' as const }
    const range = { ...place, from: to - Number(period) * day, to, ...buckets, groupBy: 'application' as const }
    const [leadTime, frequency] = await Promise.all([
      api.getLeadTimeChart({ ...range, expand: 'percentiles' }),
      api.getDeploymentFrequencyChart(range),
    ])
    return { leadTime, frequency }
  })
  return (
    <section class="panel">
      <h2>{insights.charts}</h2>
      <SelectField
        label={insights.period}
        value={period}
        onValue={(days) => setQuery({ days })}
        options={periods.map((each) => [each, insights.periods[each]] as const)}
      />
      <QueryView query={query}>
        {({ leadTime, frequency }) =>
          frequency.series.length === 0 ? (
            <p class="quiet">{insights.empty}</p>
          ) : (
            <>
              <ChartView title={insights.leadTime} kind="leadTime" chart={leadTime} />
              <ChartView title={insights.frequency} kind="frequency" chart={frequency} />
            </>
          )
        }
      </QueryView>
    </section>
  )
}

function ChartView({ title, kind, chart }: { title: string; kind: 'leadTime' | 'frequency'; chart: ChartResponse }) {
  return (
    <SvgView
      key={JSON.stringify(chart)}
      label={title}
      draw={async (size) => {
        const { deploymentFrequencySvg, leadTimeSvg } = await import('../../../svg.ts')
        return kind === 'leadTime'
          ? leadTimeSvg(chart, { title, ...size })
          : deploymentFrequencySvg(chart, { title, ...size })
      }}
    />
  )
}

function ScoreTable({ place }: { place: Place }) {
  const query = useQuery(`scores ${JSON.stringify(place)}`, () => api.getInsightsScores(place))
  return (
    <section class="panel">
      <h2>{insights.scores}</h2>
      <QueryView query={query}>
        {({ scores: response }) => {
          const scores: Scores = response
          const names = Object.entries(scoreNames).filter(([name]) => scores[name])
          return (
            <DataTable
              label={insights.scores}
              columns={insights.columns}
              empty={insights.noScores}
              rows={names.map(([name, title]) => ({
                key: name,
                cells: [title, scoreText(scores, name), explain(name, scores)],
              }))}
            />
          )
        }}
      </QueryView>
    </section>
  )
}

function scoreText(scores: Scores, name: string): string {
  const score = scores[name]
  if (!score) return ''
  const indicator = indicatorNames[score.indicator] ?? score.indicator
  return isScored(score) ? insights.value(score.score, indicator) : indicator
}
