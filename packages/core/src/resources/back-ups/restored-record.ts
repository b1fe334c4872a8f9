import type { Documents, SecretMaker, Versioned } from '../../storage/collection.ts'
import type { StoredRecord } from '../../storage/port.ts'
import type { CollectionOf } from './collection-of.ts'
import type { BackedUp } from './record-line.ts'

/** A record as it is put in, and what became of the secrets of its document. */
export interface RestoredRecord {
  readonly stored: StoredRecord
  readonly secrets?: 'renewed' | 'missing'
  readonly collection?: Documents<Versioned>
}

/**
 * Makes of a backed-up record what is stored: with its narrow row, and with new secrets where it can have some.
 *
 * @returns a fault, as a clause, for what cannot be stored.
 */
export function restoredRecord(
  record: BackedUp,
  collectionOf: CollectionOf,
  fresh: SecretMaker,
): RestoredRecord | { readonly fault: string } {
  if (record.kind !== 'document') return { stored: record }
  const { scope, key, version, withheld = [] } = record
  const id = { collection: record.collection, scope, key }
  const collection = collectionOf(id)
  if (!collection) return { fault: `collection: there is no ${id.collection} in the scope "${scope}"` }
  if (withheld.some((name) => !collection.secrets.includes(name) || Object.hasOwn(record.body, name))) {
    return { fault: 'withheld: must name members that are secret and not there' }
  }
  const { withoutSecrets } = collection
  // Cast: the body was validated as an object; the version in it is set below.
  let body = record.body as unknown as Versioned
  let secrets: RestoredRecord['secrets']
  try {
    if (withheld.length > 0 && typeof withoutSecrets === 'object') {
      secrets = 'renewed' in withoutSecrets ? 'renewed' : 'missing'
      body = 'renewed' in withoutSecrets ? withoutSecrets.renewed(body, withheld, fresh) : withoutSecrets.missing(body)
    }
    const stored = { kind: 'document', id, version, body, fields: collection.fields(body) } as const
    return { stored, collection, ...(secrets ? { secrets } : {}) }
  } catch {
    // Rows are made of members that every document of the collection has.
    return { fault: `body: is none of a ${id.collection}` }
  }
}
