import { contextInstances, contextRetentionMs, seenContexts } from '../../models/contexts/seen-context.ts'
import type { Host } from '../../operation/context.ts'
import type { CompactionResult } from '../../operation/tasks/maintenance.ts'
import type { AccountStorage } from '../../storage/port.ts'

/**
 * Deletes the contexts that were not used for thirty days.
 *
 * @returns zero summarized days, because this function summarizes nothing.
 */
export async function trimContexts(storage: AccountStorage, host: Pick<Host, 'now'>): Promise<CompactionResult> {
  const where = [{ op: 'range', field: 'lastSeen', to: host.now() - contextRetentionMs }] as const
  await storage.commit(
    [seenContexts, contextInstances].map(({ name }) => ({ do: 'discard-all', collection: name, scope: '', where })),
  )
  return { days: 0, more: false }
}
