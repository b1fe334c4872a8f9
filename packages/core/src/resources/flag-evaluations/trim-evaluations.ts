import {
  evaluationHours,
  evaluationReports,
  hourRetentionMs,
  reportRetentionMs,
} from '../../models/flag-evaluations/flag-evaluation.ts'
import type { Host } from '../../operation/context.ts'
import type { CompactionResult } from '../../operation/tasks/maintenance.ts'
import type { AccountStorage, Change } from '../../storage/port.ts'

/**
 * Removes the counts of hours that are older than ninety days, and the ids of reports that SDKs no longer repeat.
 *
 * @returns zero summarized days, because this function summarizes nothing.
 */
export async function trimEvaluations(storage: AccountStorage, host: Pick<Host, 'now'>): Promise<CompactionResult> {
  const now = host.now()
  await storage.commit([
    removal(evaluationHours.name, 'from', now - hourRetentionMs),
    removal(evaluationReports.name, 'at', now - reportRetentionMs),
  ])
  return { days: 0, more: false }
}

function removal(collection: string, field: string, to: number): Change {
  return { do: 'discard-all', collection, scope: '', where: [{ op: 'range', field, to }] }
}
