import type { DocumentId, Fields, StoredDocument } from '../port.ts'

/** A document and its narrow row. Rows are replaced and never changed, so readers may keep them. */
export interface Row {
  readonly document: StoredDocument
  readonly fields: Fields
}

/** Returns the row of a written document as a read returns it: properties that are undefined are not stored. */
export function rowOf(
  { key, scope }: DocumentId,
  version: number,
  { body, fields }: { readonly body: unknown; readonly fields: Fields },
): Row {
  return { document: { key, scope, version, body: JSON.parse(JSON.stringify(body)) }, fields }
}
