import type { Fields, StoredDocument } from '../port.ts'

/** A document and its narrow row. Rows are replaced and never changed, so readers may keep them. */
export interface Row {
  readonly document: StoredDocument
  readonly fields: Fields
}
