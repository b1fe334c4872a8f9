import { useEffect, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import type { FlagPlace } from '../../review/reviewed-change.ts'
import { rightTo } from '../../rights.ts'
import { texts } from '../../texts.ts'
import { readEvaluationCounts } from './evaluation-counts.ts'
import { Sparkline } from './sparkline.tsx'

interface Activity {
  readonly status: string
  readonly counts: readonly number[]
}

/**
 * Two cells of a flag: its status, and its evaluations in the last week. They are read when the row becomes visible, so
 * that a long list costs nothing.
 *
 * @param version version of the flag in the environment; when it changes, the cells are read again.
 */
export function FlagActivity({ place, version }: { place: FlagPlace; version: number }) {
  const { project, environment, flag } = place
  const [activity, setActivity] = useState<Activity>({ status: '', counts: [] })
  const [element, setElement] = useState<HTMLElement | null>(null)
  const right = rightTo('viewFlagStatus', `proj/${project}:env/${environment}:flag/${flag}`).value
  useEffect(() => {
    if (!element || !right?.allowed) return undefined
    let isCurrent = true
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      observer.disconnect()
      const status = api
        .getFlagStatus({ projectKey: project, environmentKey: environment, flagKey: flag })
        .then(({ name }) => texts.flags.statuses[name] ?? name)
        .catch(() => '')
      void Promise.all([status, readEvaluationCounts(place)]).then(([name, counts]) => {
        if (isCurrent) setActivity({ status: name, counts })
      })
    })
    observer.observe(element)
    return () => {
      isCurrent = false
      observer.disconnect()
    }
  }, [element, project, environment, flag, version, right?.allowed])
  const { columns } = texts.flags
  return (
    <>
      <td ref={setElement} data-label={columns.status}>
        {activity.status}
      </td>
      <td>
        <Sparkline counts={activity.counts} />
      </td>
    </>
  )
}
