import { addressOf, parseAddress } from '../../rules/address.ts'
import type { StoredCollection } from '../../storage/collection.ts'
import { DocumentMap } from '../../storage/document-map.ts'
import type { Condition, DocumentId } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import type { Removal } from '../../storage/writer.ts'
import type { RemovedDocument } from './change-log-entry.ts'

/** The documents that a unit of work deletes together with others, or the reason why they are not recorded. */
export type RemovalRecord = { readonly documents: readonly RemovedDocument[] } | { readonly irreversible: string }

/** Limits on the documents that the entry of a deletion contains, because every list of entries reads them. */
const maxDocuments = 1_000
const maxCharacters = 2_000_000

/**
 * The documents that a unit of work is about to delete without having read them: those under a deleted address, and
 * entries of indexes and links.
 */
export class RemovedDocuments {
  readonly #reads: Pick<Reader, 'get' | 'listUnder'>
  readonly #collections: readonly StoredCollection[]
  readonly #requested = new Map<Removal, Promise<readonly FoundDocument[]>>()

  constructor(reads: Pick<Reader, 'get' | 'listUnder'>, collections: readonly StoredCollection[]) {
    this.#reads = reads
    this.#collections = collections
  }

  /**
   * Starts to read the documents of removals. A storage can combine these reads with other reads that start in the same
   * turn of the event loop.
   */
  request(removals: readonly Removal[]): void {
    for (const removal of removals) {
      if (this.#requested.has(removal)) continue
      const documents = readRemoval(this.#reads, removal, this.#collections)
      // The rejection is reported by `of`. Without this handler, it would be unhandled when the call fails before `of`
      // is called.
      documents.catch(() => undefined)
      this.#requested.set(removal, documents)
    }
  }

  /**
   * Returns the documents of removals for the change log.
   *
   * @param written documents that the unit writes itself, which are not returned.
   */
  async of(removals: readonly Removal[], written: readonly DocumentId[]): Promise<RemovalRecord> {
    this.request(removals)
    const removedDocuments = new DocumentMap<RemovedDocument>()
    const documents: RemovedDocument[] = []
    const known = new DocumentMap<true>()
    for (const id of written) known.set(id, true)
    let characters = 0
    for (const read of await Promise.all(removals.map((removal) => this.#requested.get(removal) ?? []))) {
      for (const { collection, id, address, body } of read) {
        if (known.has(id) || removedDocuments.has(id)) continue
        const removed = {
          kind: collection.name,
          document: address,
          body: loggable(collection, body),
          ...withheldSecrets(collection, body),
        }
        removedDocuments.set(id, removed)
        documents.push(removed)
        characters += JSON.stringify(removed.body).length
        if (documents.length > maxDocuments) return { irreversible: `it deleted more than ${maxDocuments} documents` }
        if (characters > maxCharacters) return { irreversible: 'it deleted too much data for the change log' }
      }
    }
    return { documents }
  }
}

export interface FoundDocument {
  readonly collection: StoredCollection
  readonly id: DocumentId
  readonly address: string
  readonly body: unknown
}

async function readRemoval(
  reads: Pick<Reader, 'get' | 'listUnder'>,
  removal: Removal,
  collections: readonly StoredCollection[],
): Promise<readonly FoundDocument[]> {
  if (removal.kind === 'scope') return documentsUnder(reads, removal.scope, collections)
  const { collection } = removal
  if (removal.kind === 'matching') {
    return listed(reads, collection, removal.scope, removal.where)
  }
  const id = collection.id(removal.keys)
  const body = await reads.get(collection, removal.keys)
  return body ? [{ collection, id, address: collection.address.address(removal.keys), body }] : []
}

/** Returns the recorded documents at and under a scope, at most about a thousand of each collection. */
export async function documentsUnder(
  reads: Pick<Reader, 'listUnder'>,
  scope: string,
  collections: readonly StoredCollection[],
): Promise<readonly FoundDocument[]> {
  const kinds = (parseAddress(scope) ?? []).map(({ kind }) => kind)
  const inner = collections.filter(
    ({ recorded, address }) =>
      recorded && address.kinds.length > kinds.length && kinds.every((kind, i) => address.kinds[i] === kind),
  )
  return (await Promise.all(inner.map((collection) => listed(reads, collection, scope)))).flat()
}

async function listed(
  reads: Pick<Reader, 'listUnder'>,
  collection: StoredCollection,
  within: string,
  where: readonly Condition[] = [],
): Promise<readonly FoundDocument[]> {
  const items = await reads.listUnder(collection, within, { where, limit: maxDocuments + 1 })
  const levels = collection.address.kinds.length
  return items.flatMap(({ scope, key, body }) => {
    const kinds = scope === '' ? [] : (parseAddress(scope) ?? []).map(({ kind }) => kind)
    // Several collections with different addresses can have the same name.
    const matches = kinds.length === levels - 1 && kinds.every((kind, i) => collection.address.kinds[i] === kind)
    const id = { collection: collection.name, scope, key }
    return matches ? [{ collection, id, address: addressOfId(collection, id), body }] : []
  })
}

/** Returns the address of a document with this id. */
function addressOfId({ address }: StoredCollection, { scope, key }: DocumentId): string {
  const last = addressOf([{ kind: address.kinds.at(-1) as string, key }])
  return scope === '' ? last : `${scope}:${last}`
}

/** Returns the names of the secrets of a deleted document that can be generated again. */
export function withheldSecrets(
  { secrets, withoutSecrets }: StoredCollection,
  body: unknown,
): { readonly withheld?: readonly string[] } {
  if (typeof withoutSecrets !== 'object' || !body) return {}
  const withheld = secrets.map(String).filter((name) => (body as Record<string, unknown>)[name] !== undefined)
  return withheld.length > 0 ? { withheld } : {}
}

function loggable({ secrets }: StoredCollection, body: unknown): Readonly<Record<string, unknown>> {
  const properties = Object.entries(body as object).filter(
    ([name, value]) => value !== undefined && !secrets.includes(name),
  )
  return Object.fromEntries(properties)
}
