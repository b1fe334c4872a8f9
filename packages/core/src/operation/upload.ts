import type { Schema } from './schema.ts'

/**
 * A file that is too long to be held: it is read in pieces as they come. Over a transport it is sent by itself, with the
 * fields and perhaps its `filename` in the query, or as the part `file` of a form (`multipart/form-data`), with the
 * fields as other parts.
 */
export interface UploadBody<Fields extends Schema = Schema> {
  readonly kind: 'upload'
  /** What the file is, e.g. `text/csv`. */
  readonly mediaType: string
  /** What is said beside the file; over a transport all values come as text. */
  readonly fields: Fields
}

/**
 * A body that is a file and what is said about it. The card says by `bodyLimit` how long it may be.
 *
 * @param mediaType of the file when it is sent by itself, e.g. `text/csv`.
 * @param fields an object's schema.
 */
export function uploadBody<Fields extends Schema>(mediaType: string, fields: Fields): UploadBody<Fields> {
  return { kind: 'upload', mediaType, fields }
}

/** An upload as a handler sees it. */
export interface Upload<Fields> {
  /**
   * The file as it comes, to be read once. Reading throws `ApiError` `invalid_request`: 413 past the limit, 400 where the
   * caller goes away or sends no file.
   */
  readonly file: AsyncIterable<Uint8Array>
  /**
   * What came beside the file: known once that was read to its end, as the parts of a form come in any order.
   *
   * @throws ApiError `invalid_request` naming each field that is wrong.
   */
  described(): { readonly filename: string | undefined; readonly fields: Fields }
}

/** An upload as a caller in process gives it, beside its fields. */
export interface UploadInput {
  /** Text counts as UTF-8. A stream is read as fast as it is worked on. */
  readonly file: string | AsyncIterable<string | Uint8Array>
  /** How the file is called. Default: it has no name. */
  readonly filename?: string
}
