import type { Fields, StoredDocument } from '@halyard/core/storage'

/** A document and its narrow row. Rows are replaced and never changed, so readers may keep them. */
export interface Row {
  readonly document: StoredDocument
  readonly fields: Fields
}
