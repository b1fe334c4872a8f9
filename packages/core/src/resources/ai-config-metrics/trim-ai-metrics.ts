import type { Host } from '../../operation/context.ts'
import type { CompactionResult } from '../../operation/tasks/maintenance.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { aiMetricHours, dayMs, retentionDays } from './ai-metric-hour.ts'

/**
 * Removes the metrics of AI configs of hours that began more than a hundred days ago.
 *
 * @returns zero summarized days, because this function summarizes nothing.
 */
export async function trimAIMetrics(storage: AccountStorage, host: Pick<Host, 'now'>): Promise<CompactionResult> {
  const where = [{ op: 'range', field: 'from', to: host.now() - retentionDays * dayMs }] as const
  await storage.commit([{ do: 'discard-all', collection: aiMetricHours.name, scope: '', where }])
  return { days: 0, more: false }
}
