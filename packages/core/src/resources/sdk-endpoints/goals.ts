import { metrics, type UrlMatcher } from '../../models/metrics/metric.ts'
import type { Reader } from '../../storage/reader.ts'

/** A goal: a click or page view that SDKs for browsers report, in the form in which SDKs receive it. */
export interface Goal {
  /** Key of the metric, which the event contains. */
  readonly key: string
  readonly kind: 'click' | 'pageview'
  readonly selector?: string
  readonly urls: readonly UrlMatcher[]
}

/** Maximum number of goals of a project, because a page examines each of them. */
const maxGoals = 1000

/** Reads the clicks and page views that the metrics of a project measure. */
export async function readGoals(tx: Pick<Reader, 'list'>, projectKey: string): Promise<Goal[]> {
  const where = [{ op: 'anyOf', field: 'kind', values: ['click', 'pageview'] }] as const
  const { items } = await tx.list(metrics, { projectKey }, { where, limit: maxGoals })
  return items.flatMap(({ key, kind, selector, urls = [] }) => {
    if (kind === 'custom') return []
    return [{ key, kind, ...(selector === undefined ? {} : { selector }), urls }]
  })
}
