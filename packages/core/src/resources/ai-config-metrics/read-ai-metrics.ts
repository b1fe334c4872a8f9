import * as v from 'valibot'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { environments } from '../../models/environments/environment.ts'
import type { ReadContext } from '../../operation/context.ts'
import type { Fail } from '../../operation/errors.ts'
import { key, moment } from '../../operation/schema.ts'
import { totalSums } from '../../rules/ai-metrics/ai-metric-sums.ts'
import { type AIMetricHour, aiMetricHours, dayMs, hourMs, retentionDays } from './ai-metric-hour.ts'
import { type ConfigSums, type PricedSums, withPrices } from './token-prices.ts'

/** Query parameters of the metrics of one config. */
export const aiMetricsQuery = v.object({ from: moment(), to: moment(), env: key() })

/** Effectively no limit: the response needs all sums of the range. */
export const noLimit = 2 ** 31 - 1

interface AIMetricsInput {
  readonly params: { readonly projectKey: string; readonly configKey: string }
  readonly query: { readonly from: number; readonly to: number; readonly env: string }
}

/**
 * Reads the sums of a config by variation and version, with prices.
 *
 * @throws ApiError `not_found` for a config or an environment that does not exist; `invalid_request` naming `to`.
 */
export async function readAIMetrics(
  { tx, fail }: { readonly tx: ReadContext['tx']; readonly fail: Fail<'invalid_request' | 'not_found'> },
  { params, query: { from, to, env } }: AIMetricsInput,
): Promise<PricedSums[]> {
  if (to <= from) fail('invalid_request', { errors: [{ attribute: 'to', reason: 'must be after `from`' }] })
  if (to - from > retentionDays * dayMs) {
    const reason = `must be at most ${retentionDays} days after \`from\``
    fail('invalid_request', { errors: [{ attribute: 'to', reason }] })
  }
  const keys = { projectKey: params.projectKey, environmentKey: env, configKey: params.configKey }
  const [config, environment] = await Promise.all([tx.get(aiConfigs, params), tx.get(environments, keys)])
  if (!config || !environment) fail('not_found')
  const { items } = await tx.list(aiMetricHours, keys, { where: [hoursOf(from, to)], limit: noLimit })
  return withPrices(tx, keys, sumsOf(items))
}

/** Returns the sums of hours by config, variation and version. */
export function sumsOf(hours: readonly AIMetricHour[]): ConfigSums[] {
  const groups = new Map<string, ConfigSums[]>()
  for (const { configKey, variations } of hours) {
    for (const entry of variations) {
      const name = `${configKey}:${entry.variationVersion}:${entry.variationKey}`
      const group = groups.get(name) ?? []
      groups.set(name, group)
      group.push({ ...entry, configKey })
    }
  }
  return [...groups.values()].map((group) => ({ ...(group[0] as ConfigSums), ...totalSums(group) }))
}

/** Returns the condition for all hours that overlap a range of time. */
export function hoursOf(from: number, to: number | undefined) {
  return { op: 'range', field: 'from', from: from - (from % hourMs), to } as const
}
