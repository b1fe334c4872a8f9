import type { Schema } from './schema.ts'

/**
 * Declares a body that is a file too long for memory, which is read in pieces as they arrive. Over a transport, the
 * file is the body, with the fields and an optional `filename` in the query; or it is the part `file` of a form
 * (`multipart/form-data`), with the fields as other parts.
 */
export interface UploadBody<Fields extends Schema = Schema> {
  readonly kind: 'upload'
  /** Media type of the file, e.g. `text/csv`. */
  readonly mediaType: string
  /** Schema of the fields that accompany the file; over a transport all values are strings. */
  readonly fields: Fields
}

/**
 * Declares a body that is a file with fields. `bodyLimit` of the operation is the maximum size.
 *
 * @param mediaType media type of the file when it is the whole body, e.g. `text/csv`.
 * @param fields schema of an object with the fields.
 */
export function uploadBody<Fields extends Schema>(mediaType: string, fields: Fields): UploadBody<Fields> {
  return { kind: 'upload', mediaType, fields }
}

/** An upload as a handler receives it. */
export interface Upload<Fields> {
  /**
   * The file as it arrives; it can be read once. Reading throws `ApiError` `invalid_request`: 413 beyond the limit, 400
   * when the client disconnects or sends no file.
   */
  readonly file: AsyncIterable<Uint8Array>
  /**
   * Returns the fields and the file name. Call it after the file was read to its end, because the parts of a form can
   * have any order.
   *
   * @throws ApiError `invalid_request` naming each invalid field.
   */
  readFields(): { readonly filename: string | undefined; readonly fields: Fields }
}

/** An upload as a caller in process passes it, next to its fields. */
export interface UploadInput {
  /** A string is encoded as UTF-8. A stream is read no faster than it is processed. */
  readonly file: string | AsyncIterable<string | Uint8Array>
  /** Name of the file, if it has a name. */
  readonly filename?: string
}
