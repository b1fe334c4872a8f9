import type { Audience, Notifier } from '../../operation/audience.ts'
import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import { entryId } from '../../operation/change-log/entry-id.ts'
import { addressOf, parseAddress } from '../../rules/address.ts'
import type { Sample } from '../../storage/port.ts'
import type { StorageReads } from '../../storage/reads.ts'
import { type Destination, destinations } from './destination.ts'
import { changeTask, exportTasks } from './destination-outbox.ts'

/** Maximum number of destinations that receive changes; more than any account has. */
export const maxDestinations = 10_000

/**
 * Makes the function that adds a change to the outboxes of the active destinations of the environments that the change
 * concerns, in the batch of the change.
 */
export function exportAudience(): Audience {
  return (reads) => {
    const pending = listActiveDestinations(reads)
    // When the handler fails, no caller awaits this promise, so its error is ignored.
    pending.catch(() => {})
    return async (tx, entry) => {
      for (const destination of await pending) {
        if (!receivesEntry(destination, entry)) continue
        tx.enqueue(exportTasks, destination, [changeTask(entryId(entry), entry.at, entry.at)])
      }
    }
  }
}

/** Makes one audience that calls several audiences one after the other. */
export function combinedAudience(...audiences: readonly Audience[]): Audience {
  return (reads) => {
    const notifiers: Notifier[] = audiences.map((audience) => audience(reads))
    return async (tx, entry, selects) => {
      for (const notify of notifiers) await notify(tx, entry, selects)
    }
  }
}

/**
 * Reads all destinations that are on. Reads the bodies to find out which are on, because rows of earlier versions lack
 * a field for it.
 */
export async function listActiveDestinations(reads: Pick<StorageReads, 'list'>, scope = ''): Promise<Destination[]> {
  const { items } = await reads.list({
    collection: destinations.name,
    scope,
    deep: true,
    limit: maxDestinations,
    select: 'bodies',
  })
  return items.map(({ body }) => body as Destination).filter(({ on }) => on)
}

/**
 * Returns true when a change concerns the environment of a destination: it changes the environment or something in it,
 * or the resource that it is about belongs to the project in all environments. A destination does not receive changes
 * of itself.
 */
export function receivesEntry(destination: Destination, { label, body }: Pick<Sample, 'label' | 'body'>): boolean {
  const { projectKey, environmentKey } = destination
  const ownResource = addressOf(destinations.resource(destination))
  if (label === ownResource) return false
  const concerns = (resource: string, matches: (key: string) => boolean) => {
    const [project, environment] = parseAddress(resource) ?? []
    if (project?.kind !== 'proj' || project.key !== projectKey) return false
    return matches(environment?.kind === 'env' ? environment.key : '*')
  }
  if (concerns(label, (key) => key === '*')) return true
  return (body as ChangeLogEntry).changes.some(({ resource }) => concerns(resource, (key) => key === environmentKey))
}
