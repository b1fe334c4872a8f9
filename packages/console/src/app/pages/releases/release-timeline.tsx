import { useState } from 'preact/hooks'
import { releaseChart } from '../../../chart/results-chart.ts'
import { api, type ResponseOf } from '../../api.ts'
import { QueryView } from '../../components/query-view.tsx'
import { SvgView } from '../../components/svg-view.tsx'
import type { FlagPlace } from '../../review/reviewed-change.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'

type Release = ResponseOf<'listAutomatedReleases'>['items'][number]

const { automated } = texts

/** The stages of an automated release over time, and an interval for each of its metrics. Loaded when it is opened. */
export function ReleaseTimeline({ place, release }: { place: FlagPlace; release: Release }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{automated.timeline}</summary>
      {isOpen && <Timeline place={place} release={release} />}
    </details>
  )
}

function Timeline({ place, release }: { place: FlagPlace; release: Release }) {
  const keys = { projectKey: place.project, environmentKey: place.environment, flagKey: place.flag, id: release.id }
  const query = useQuery(`results of release ${JSON.stringify(keys)}`, async () => {
    const [current, { metrics }] = await Promise.all([
      api.getAutomatedRelease(keys),
      api.getAutomatedReleaseResults(keys),
    ])
    return releaseChart(current, metrics, Date.now())
  })
  const title = automated.chart(place.flag)
  return (
    <QueryView query={query}>
      {(chart) => (
        <SvgView
          key={JSON.stringify(chart)}
          label={title}
          draw={async (size) => {
            const { releaseSvg } = await import('../../../svg.ts')
            return releaseSvg(chart, { title, ...size })
          }}
        />
      )}
    </QueryView>
  )
}
