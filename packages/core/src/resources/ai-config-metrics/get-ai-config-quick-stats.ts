import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { experiments, runningIteration } from '../../models/experiments/experiment.ts'
import { operation } from '../../operation/operation.ts'
import { key } from '../../operation/schema.ts'
import { aiMetricHours, dayMs } from './ai-metric-hour.ts'
import { costOf, satisfactionOf } from './ai-metrics-response.ts'
import { hoursOf, noLimit, sumsOf } from './read-ai-metrics.ts'
import { withPrices } from './token-prices.ts'

const recentMs = 7 * dayMs

export const getAIConfigQuickStats = operation({
  id: 'getAIConfigQuickStats',
  summary: 'Get figures about all AI configs of a project in an environment: of the last seven days, and of this month',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/ai-configs/quick-stats',
  query: v.object({ env: key() }),
  success: {
    status: 200,
    body: v.object({
      activeConfigs: v.number(),
      activeExperiments: v.number(),
      averageSatisfaction7d: v.nullable(v.number()),
      spendMonthToDate: v.nullable(v.number()),
    }),
  },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query: { env } }) {
    const { tx, fail } = context
    const keys = { ...params, environmentKey: env }
    if (!(await tx.get(environments, keys))) fail('not_found')
    const now = context.readClock()
    const recent = hoursOf(now - recentMs, undefined)
    const monthStart = startOfMonth(now)
    const where = [hoursOf(Math.min(recent.from, monthStart), undefined)]
    const [{ items }, { items: running }] = await Promise.all([
      tx.list(aiMetricHours, keys, { deep: true, where, limit: noLimit }),
      tx.list(experiments, keys, {
        where: [{ op: 'equals', field: 'statuses', value: 'running' }],
        limit: noLimit,
      }),
    ])
    const recentSums = sumsOf(items.filter(({ from }) => from >= recent.from))
    const monthSums = await withPrices(tx, params, sumsOf(items.filter(({ from }) => from >= monthStart)))
    return {
      activeConfigs: new Set(recentSums.map(({ configKey }) => configKey)).size,
      activeExperiments: running.filter((experiment) => runningIteration(experiment)?.subject.kind === 'aiconfig')
        .length,
      averageSatisfaction7d: satisfactionOf(recentSums) ?? null,
      spendMonthToDate: costOf(monthSums) ?? null,
    }
  },
})

function startOfMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}
