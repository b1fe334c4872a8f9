import type { ValidationError } from '../json-guard.ts'
import { multipartReader } from './multipart.ts'

/** Reads a form with one file from a stream. */
export interface FormReader {
  /** Returns the bytes that these bytes add to the file. */
  push(bytes: Uint8Array): Uint8Array[]
  /** Ends the form and returns its error; undefined if the form is valid. */
  end(): ValidationError | undefined
  /** First error so far; its attribute is empty if it concerns the form as a whole. */
  readonly error: ValidationError | undefined
  /** Name of the file as the client sent it. */
  readonly filename: string | undefined
  /** Texts of all other parts by name. If a name is repeated, the last text is used. */
  readonly fields: Readonly<Record<string, string>>
}

const maxFields = 100
const maxFieldBytes = 8 * 1024

/**
 * Creates a reader for a form (`multipart/form-data`, RFC 7578) that receives pieces of any size. The content of the
 * file is returned as it arrives; fields are buffered, and therefore must be short.
 *
 * @param boundary boundary parameter of the media type.
 * @param fileField name of the part that is the file.
 */
export function formReader(boundary: string, fileField: string): FormReader {
  const multipart = multipartReader(boundary)
  const fields = new Map<string, string>()
  let error: ValidationError | undefined
  let file: { readonly filename: string | undefined } | undefined
  let part: { readonly name: string; readonly isFile: boolean; size: number; readonly utf8: TextDecoder } | undefined

  function beginPart(headers: readonly string[]): void {
    const { name, filename } = dispositionOf(headers)
    const isFile = name === fileField
    if (name === undefined) error ??= { attribute: '', reason: 'A part of the form has no name' }
    else if (isFile && file) error ??= { attribute: name, reason: 'must be one file' }
    else if (isFile) file = { filename }
    else if (fields.size >= maxFields) error ??= { attribute: '', reason: `The form has more than ${maxFields} fields` }
    else fields.set(name, '')
    part = { name: name ?? '', isFile, size: 0, utf8: new TextDecoder() }
  }

  function addToField(bytes: Uint8Array): void {
    if (!part) return
    part.size += bytes.length
    if (part.size > maxFieldBytes)
      error ??= { attribute: part.name, reason: `must have at most ${maxFieldBytes} bytes` }
    else fields.set(part.name, (fields.get(part.name) ?? '') + part.utf8.decode(bytes, { stream: true }))
  }

  return {
    push(bytes) {
      const pieces: Uint8Array[] = []
      for (const event of multipart.push(bytes)) {
        if (event.kind === 'part') beginPart(event.headers)
        else if (part?.isFile) pieces.push(event.bytes)
        else addToField(event.bytes)
      }
      if (multipart.hasOversizedHeaders)
        error ??= { attribute: '', reason: 'The headers of a part of the form are too long' }
      return pieces
    },
    end() {
      if (error) return error
      if (!multipart.closed) return { attribute: '', reason: 'The request body is incomplete' }
      return file ? undefined : { attribute: fileField, reason: 'must be present' }
    },
    get error() {
      return error
    },
    get filename() {
      return file?.filename
    },
    get fields() {
      return Object.fromEntries(fields)
    },
  }
}

/**
 * Returns the names in `Content-Disposition: form-data; name="…"; filename="…"`, in which browsers write `"` as `%22`.
 */
function dispositionOf(headers: readonly string[]) {
  const header = headers.find((line) => /^content-disposition\s*:/i.test(line)) ?? ''
  return { name: parameterOf(header, 'name'), filename: parameterOf(header, 'filename') }
}

function parameterOf(header: string, name: string): string | undefined {
  const [, quoted, bare] = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(header) ?? []
  return (quoted ?? bare)?.replaceAll('%22', '"')
}
