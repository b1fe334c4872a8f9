import type { Documents, Versioned } from './collection.ts'

/** What a unit of work does to one document, all its writes to it taken together. */
export interface WrittenDocument {
  readonly collection: Documents<Versioned>
  readonly keys: Readonly<Record<string, string>>
  /** Undefined where it was not stored before. */
  readonly before: Versioned | undefined
  /** Undefined where it is removed. */
  readonly after: Versioned | undefined
}

export interface WrittenDocuments {
  note(place: string, written: WrittenDocument): void
  /** In the order in which they were first written; what came and went again is left out. */
  list(): readonly WrittenDocument[]
}

/** Remembers what the verbs of a unit did to documents that callers change; the change log is made from it. */
export function writtenDocuments(): WrittenDocuments {
  const places = new Map<string, WrittenDocument>()
  return {
    note(place, written) {
      if (!written.collection.changes) return
      const earlier = places.get(place)
      places.set(place, earlier ? { ...written, before: earlier.before } : written)
    },
    list: () => [...places.values()].filter(({ before, after }) => before || after),
  }
}
