import { contextName, type Sighting, type SingleContext } from '../../rules/contexts/sighting.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import type { Versioned } from '../../storage/collection.ts'
import { type ContextInstance, maxSeenContexts, type SeenContext, sightingMs } from './seen-context.ts'

/**
 * The documents that sightings create: one for each context, and one for each combination of contexts, from the latest
 * sighting.
 */
export interface SightedDocuments {
  readonly contexts: ReadonlyMap<string, UnstoredDocument<SeenContext>>
  readonly instances: ReadonlyMap<string, UnstoredDocument<ContextInstance>>
}

/**
 * Returns the documents that sightings create, by id, without regard to stored documents.
 *
 * @param sha256 returns the SHA-256 of a text in hex, from which the ids are made.
 */
export async function sightedDocuments(
  sightings: readonly Sighting[],
  sha256: (text: string) => Promise<string>,
): Promise<SightedDocuments> {
  const contexts = new Map<string, UnstoredDocument<SeenContext>>()
  const instances = new Map<string, UnstoredDocument<ContextInstance>>()
  const ids = new Map<string, string>()
  const idOf = async (parts: readonly SingleContext[]) => {
    const name = contextName(parts)
    const known = ids.get(name)
    const id = known ?? (await sha256(name))
    ids.set(name, id)
    return id
  }
  for (const { at, contexts: seen, anonymousKinds } of sightings) {
    for (const context of seen) setLatest(contexts, await idOf([context]), { context, lastSeen: at })
    const id = await idOf(seen)
    setLatest(instances, id, { id, contexts: seen, anonymousKinds, lastSeen: at })
  }
  return { contexts, instances }
}

function setLatest<T extends { readonly lastSeen: number }>(all: Map<string, T>, id: string, document: T): void {
  const known = all.get(id)
  if (!known || known.lastSeen <= document.lastSeen) all.set(id, document)
}

/** A stored document with the time of the latest use. */
export interface Seen extends Versioned {
  /** Integer ms, UTC. */
  readonly lastSeen: number
}

/** The content of a document with the time of the latest use, before it is stored. */
export type UnstoredDocument<T extends Seen> = Omit<T, 'version'> & Pick<T, 'lastSeen'>

/** A document that must be stored, and the stored document that it replaces. */
export interface DocumentToStore<T extends Seen> {
  readonly id: string
  readonly before: T | undefined
  readonly after: UnstoredDocument<T>
}

/**
 * Returns the documents that must be stored. Among them are new documents only until the environment has
 * `maxSeenContexts`.
 *
 * @param stored the stored document with each id, in the order of `documents`; undefined for a new document.
 * @param countStored returns the number of stored documents of the environment.
 */
export async function documentsToStore<T extends Seen>(
  documents: ReadonlyMap<string, UnstoredDocument<T>>,
  stored: readonly (T | undefined)[],
  countStored: () => Promise<number>,
): Promise<readonly DocumentToStore<T>[]> {
  let free = stored.includes(undefined) ? maxSeenContexts - (await countStored()) : 0
  return [...documents].flatMap(([id, after], index) => {
    const before = stored[index]
    return mustStore(before, after) && (before || free-- > 0) ? [{ id, before, after }] : []
  })
}

/** Returns true if a use of a context must be stored: it is new, has other attributes, or is much later. */
function mustStore<T extends Seen>(before: T | undefined, after: UnstoredDocument<T>): boolean {
  if (!before) return true
  if (after.lastSeen < before.lastSeen) return false
  if (after.lastSeen - before.lastSeen >= sightingMs) return true
  const same = { lastSeen: 0, version: 0 }
  return !jsonEqual({ ...before, ...same }, { ...after, ...same })
}
