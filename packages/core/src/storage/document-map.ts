import { type DocumentId, isUnder } from './port.ts'

/**
 * A map with document ids as keys.
 *
 * The map consists of nested maps, by collection, scope and key. Joining these three into one text for each of ten
 * thousand documents would cost more than the look-ups.
 */
export class DocumentMap<V> {
  readonly #collections = new Map<string, Map<string, Map<string, V>>>()

  get(id: DocumentId): V | undefined {
    return this.#valuesIn(id)?.get(id.key)
  }

  has(id: DocumentId): boolean {
    return this.#valuesIn(id)?.has(id.key) ?? false
  }

  set(id: DocumentId, value: V): void {
    const values = this.#valuesIn(id)
    if (values) return void values.set(id.key, value)
    const scopes = this.#collections.get(id.collection) ?? new Map<string, Map<string, V>>()
    this.#collections.set(id.collection, scopes.set(id.scope, new Map([[id.key, value]])))
  }

  /** Returns the value of a document with this key in any scope. */
  find(collection: string, key: string): V | undefined {
    for (const values of this.#collections.get(collection)?.values() ?? []) {
      const value = values.get(key)
      if (value !== undefined) return value
    }
    return undefined
  }

  /** Sets one value for all documents of the map at and under a scope. */
  replaceUnder(ancestor: string, value: V): void {
    for (const scopes of this.#collections.values()) {
      for (const [scope, values] of scopes) {
        if (isUnder(scope, ancestor)) for (const key of values.keys()) values.set(key, value)
      }
    }
  }

  /** Yields the ids and values of a collection in a scope, with `deep` also of the scopes under it. */
  *within({
    collection,
    scope,
    deep,
  }: Omit<DocumentId, 'key'> & { readonly deep?: boolean }): Iterable<[DocumentId, V]> {
    const scopes = this.#collections.get(collection)
    for (const [other, values] of deep ? (scopes ?? []) : [[scope, scopes?.get(scope)] as const]) {
      if (!values || !isUnder(other, scope)) continue
      for (const [key, value] of values) yield [{ collection, scope: other, key }, value]
    }
  }

  /** Names of the collections of the documents. */
  get collections(): Iterable<string> {
    return this.#collections.keys()
  }

  clear(): void {
    this.#collections.clear()
  }

  #valuesIn({ collection, scope }: DocumentId): Map<string, V> | undefined {
    return this.#collections.get(collection)?.get(scope)
  }
}
