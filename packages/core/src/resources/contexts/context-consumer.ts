import { contextInstances, seenContexts } from '../../models/contexts/seen-context.ts'
import {
  documentsToStore,
  type Seen,
  sightedDocuments,
  type UnstoredDocument,
} from '../../models/contexts/sighting-documents.ts'
import { type Sighting, sightingOf } from '../../rules/contexts/sighting.ts'
import type { SdkEvent } from '../../rules/sdk-protocol/sdk-events.ts'
import { bodyOf, type Documents, type Keys } from '../../storage/collection.ts'
import type { Change } from '../../storage/port.ts'
import type { EventConsumer, EventStorage } from '../sdk-events/event-consumer.ts'
import { writeChange } from '../sdk-events/write-change.ts'

/**
 * Maximum number of contexts of one report that are stored. SDKs with many contexts report thousands at a time, and
 * storing all of them would take longer than everything else that a report needs. A context that is used again is
 * reported again.
 */
const maxStoredOfReport = 100

/**
 * Stores the contexts that SDKs report: server-side SDKs report each context every few minutes, client-side SDKs report
 * it when the application identifies it. Clients of OFREP report nothing, so their evaluations count as reports.
 */
export const contextConsumer: EventConsumer<Sighting> = {
  take({ events }) {
    const sightings: Sighting[] = []
    for (const event of events) {
      if (sightings.length === maxStoredOfReport) break
      const sighting = sightingIn(event)
      if (sighting) sightings.push(sighting)
    }
    return sightings
  },

  async changes(storage, environmentKeys, sightings, host) {
    const { contexts, instances } = await sightedDocuments(sightings, (text) => host.sha256(text))
    const changes = await Promise.all([
      changesOf(storage, seenContexts, contexts, (contextId) => ({ ...environmentKeys, contextId })),
      changesOf(storage, contextInstances, instances, (instanceId) => ({ ...environmentKeys, instanceId })),
    ])
    return changes.flat()
  },
}

function sightingIn(event: SdkEvent): Sighting | undefined {
  return event.kind === 'index' || event.kind === 'identify' ? sightingOf(event.context, event.at) : undefined
}

async function changesOf<T extends Seen, A extends string>(
  storage: EventStorage,
  collection: Documents<T, A>,
  documents: ReadonlyMap<string, UnstoredDocument<T>>,
  keysOf: (id: string) => Keys<A>,
): Promise<readonly Change[]> {
  const ids = [...documents.keys()]
  const stored = await storage.getMany(ids.map((id) => collection.id(keysOf(id))))
  const bodies = stored.map((document) => bodyOf(collection, document))
  const scope = collection.address.scope(keysOf(''))
  const written = await documentsToStore(documents, bodies, () => countOf(storage, collection, scope))
  return written.map(({ id, before, after }) => writeChange(collection, keysOf(id), before, after))
}

async function countOf(storage: EventStorage, { name }: { readonly name: string }, scope: string): Promise<number> {
  const { total = 0 } = await storage.list({ collection: name, scope, limit: 0, count: true, select: 'fields' })
  return total
}
