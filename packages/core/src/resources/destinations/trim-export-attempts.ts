import type { Host } from '../../operation/context.ts'
import type { CompactionResult } from '../../operation/tasks/maintenance.ts'
import type { AccountStorage, Change } from '../../storage/port.ts'
import { type Destination, destinations } from './destination.ts'
import { attemptRetentionMs, exportAttempts } from './destination-outbox.ts'
import { maxDestinations } from './export-audience.ts'

/**
 * Removes the attempts of all destinations that are older than thirty days.
 *
 * @returns zero summarized days, because this function summarizes nothing.
 */
export async function trimExportAttempts(storage: AccountStorage, host: Pick<Host, 'now'>): Promise<CompactionResult> {
  const before = host.now() - attemptRetentionMs
  const query = { collection: destinations.name, scope: '', deep: true, limit: maxDestinations } as const
  const { items } = await storage.list({ ...query, select: 'bodies' })
  const trims = items.map(
    ({ body }): Change => ({ do: 'trim', series: exportAttempts.id(body as Destination), before }),
  )
  if (trims.length > 0) await storage.commit(trims)
  return { days: 0, more: false }
}
