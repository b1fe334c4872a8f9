import type { Documents, SecretMaker, Versioned } from '../../storage/collection.ts'
import type { StoredRecord } from '../../storage/port.ts'
import type { CollectionOf } from './collection-of.ts'
import type { ExportedRecord } from './record-line.ts'

/** The record to store, and the outcome for the secrets of its document. */
export interface RestoreResult {
  readonly stored: StoredRecord
  readonly secrets?: 'renewed' | 'missing'
  readonly collection?: Documents<Versioned>
}

/**
 * Makes the record to store from an exported record: with its narrow row, and with new secrets when they can be
 * generated.
 *
 * @returns an error, as a clause, for a record that cannot be stored.
 */
export function restoreRecord(
  record: ExportedRecord,
  collectionOf: CollectionOf,
  secretMaker: SecretMaker,
): RestoreResult | { readonly error: string } {
  if (record.kind !== 'document') return { stored: record }
  const { scope, key, version, withheld = [] } = record
  const id = { collection: record.collection, scope, key }
  const collection = collectionOf(id)
  if (!collection) return { error: `collection: there is no ${id.collection} in the scope "${scope}"` }
  if (withheld.some((name) => !collection.secrets.includes(name) || Object.hasOwn(record.body, name))) {
    return { error: 'withheld: must name secret properties that the body does not contain' }
  }
  const { withoutSecrets } = collection
  // Cast: the body was validated as an object; the version in it is set below.
  let body = record.body as unknown as Versioned
  let secrets: RestoreResult['secrets']
  try {
    if (withheld.length > 0 && typeof withoutSecrets === 'object') {
      secrets = 'renewed' in withoutSecrets ? 'renewed' : 'missing'
      body =
        'renewed' in withoutSecrets ? withoutSecrets.renewed(body, withheld, secretMaker) : withoutSecrets.missing(body)
    }
    const stored = { kind: 'document', id, version, body, fields: collection.fields(body) } as const
    return { stored, collection, ...(secrets ? { secrets } : {}) }
  } catch {
    // Fails when the body lacks a property that every document of the collection has, from which its narrow row is
    // derived.
    return { error: `body: must be a document of the collection ${id.collection}` }
  }
}
