import { byPlace } from './by-place.ts'
import type { Documents, Versioned } from './collection.ts'
import type { DocumentId } from './port.ts'

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
  note(id: DocumentId, written: WrittenDocument): void
  /** In the order in which they were first written; what came and went again is left out. */
  list(): readonly WrittenDocument[]
}

/** Remembers what the verbs of a unit did to documents that callers change; the change log is made from it. */
export function writtenDocuments(): WrittenDocuments {
  const all: WrittenDocument[] = []
  const places = byPlace<number>()
  return {
    note(id, written) {
      if (!written.collection.changes) return
      const place = places.get(id)
      if (place === undefined) places.set(id, all.push(written) - 1)
      else all[place] = { ...written, before: all[place]?.before }
    },
    list: () => all.filter(({ before, after }) => before || after),
  }
}
