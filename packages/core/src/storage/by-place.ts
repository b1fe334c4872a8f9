import type { DocumentId } from './port.ts'

/** Values by the place of a document. */
export interface ByPlace<V> {
  get(id: DocumentId): V | undefined
  has(id: DocumentId): boolean
  set(id: DocumentId, value: V): void
  clear(): void
}

/**
 * Makes an empty map. It is one of maps, by collection and scope, then key: to join the three into one text for each of
 * ten thousand documents would cost more than to look it up.
 */
export function byPlace<V>(): ByPlace<V> {
  const collections = new Map<string, Map<string, Map<string, V>>>()
  const shelf = ({ collection, scope }: DocumentId) => collections.get(collection)?.get(scope)
  return {
    get: (id) => shelf(id)?.get(id.key),
    has: (id) => shelf(id)?.has(id.key) ?? false,
    set(id, value) {
      const known = shelf(id)
      if (known) return void known.set(id.key, value)
      const scopes = collections.get(id.collection) ?? new Map<string, Map<string, V>>()
      collections.set(id.collection, scopes.set(id.scope, new Map([[id.key, value]])))
    },
    clear: () => collections.clear(),
  }
}
