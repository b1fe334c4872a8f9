import type { EngineRequest } from '../operation/engine-request.ts'
import { fail, type ValidationError } from '../operation/errors.ts'
import { parseOrFail } from '../operation/schema.ts'
import type { Upload, UploadBody } from '../operation/upload.ts'
import { type FormReader, formReader } from '../rules/form-data/form-reader.ts'
import { validateJson } from '../rules/json-guard.ts'

const maxFilenameCharacters = 256

/**
 * Returns an upload that comes over a transport. The handler reads its body; nothing is read here.
 *
 * @param values the parameters of the query.
 * @param limit maximum size of the body, all parts of a form together, bytes.
 */
export function receivedUpload(
  body: UploadBody,
  request: EngineRequest,
  values: Readonly<Record<string, string>>,
  limit: number,
): Upload<unknown> {
  const [type = '', ...parameters] = (request.header('content-type') ?? '').split(';').map((part) => part.trim())
  const isForm = type.toLowerCase() === 'multipart/form-data'
  if (!isForm && type.toLowerCase() !== body.mediaType) {
    fail('invalid_request', {
      status: 415,
      message: `The Content-Type must be ${body.mediaType} or multipart/form-data`,
    })
  }
  const chunks = limited(chunksOf(request), Number(request.header('content-length')), limit)
  if (isForm) return formUpload(body, chunks, boundaryOf(parameters))
  const { filename, dryRun, ...query } = values
  const fields = fieldsOf(body, query)
  return { file: chunks, readFields: () => ({ filename: nameOf(filename), fields }) }
}

/** Returns the upload of a call in process, whose input object has the file and its fields as properties. */
export function uploadFromInput(body: UploadBody, value: unknown): Upload<unknown> {
  const { file, filename, ...fields } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (!isFile(file)) return fail('invalid_request', { errors: [{ attribute: 'file', reason: 'must be present' }] })
  if (filename !== undefined && typeof filename !== 'string') {
    return fail('invalid_request', { errors: [{ attribute: 'filename', reason: 'must be a string' }] })
  }
  const decoded = fieldsOf(body, fields)
  return { file: limited(bytesOf(file)), readFields: () => ({ filename: nameOf(filename), fields: decoded }) }
}

type InputFile = string | AsyncIterable<string | Uint8Array>

function isFile(value: unknown): value is InputFile {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && Symbol.asyncIterator in value)
}

async function* bytesOf(file: InputFile): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder()
  if (typeof file === 'string') return yield utf8.encode(file)
  try {
    for await (const piece of file) yield typeof piece === 'string' ? utf8.encode(piece) : piece
  } catch (cause) {
    fail('invalid_request', { message: 'The request body is incomplete', cause })
  }
}

function chunksOf({ body }: EngineRequest): AsyncIterable<Uint8Array> {
  if (body.kind === 'unread') return body.chunks()
  return fail('invalid_request', { message: 'The request body was read before the API received it' })
}

/**
 * Yields the chunks of a body; fails for an empty body, and for a body with more than `limit` bytes.
 *
 * @param announced the value of `Content-Length`, bytes; NaN when the header is missing.
 */
async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  announced = Number.NaN,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const tooLong = () => fail('invalid_request', { status: 413, message: `The request body exceeds ${limit} bytes` })
  let size = 0
  // Reads the first chunk even when `Content-Length` already exceeds the limit, so that the transport discards the
  // remaining chunks.
  for await (const chunk of chunks) {
    size += chunk.byteLength
    if (size > limit || announced > limit) tooLong()
    yield chunk
  }
  if (size === 0) fail('invalid_request', { message: 'A request body must be present' })
}

function boundaryOf(parameters: readonly string[]): string {
  const declared = parameters.find((parameter) => /^boundary=/i.test(parameter))?.slice('boundary='.length)
  const boundary = declared?.replace(/^"(.*)"$/, '$1') ?? ''
  if (boundary.length >= 1 && boundary.length <= 70) return boundary
  return fail('invalid_request', { message: 'The Content-Type must name the boundary of the form' })
}

function formUpload(body: UploadBody, chunks: AsyncIterable<Uint8Array>, boundary: string): Upload<unknown> {
  const form = formReader(boundary, 'file')
  return {
    file: fileIn(form, chunks),
    readFields: () => ({ filename: nameOf(form.filename), fields: fieldsOf(body, form.fields) }),
  }
}

async function* fileIn(form: FormReader, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const pieces = form.push(chunk)
    if (form.error) refuse(form.error)
    yield* pieces
  }
  const error = form.end()
  if (error) refuse(error)
}

function refuse(error: ValidationError): never {
  return fail('invalid_request', error.attribute === '' ? { message: error.reason } : { errors: [error] })
}

function fieldsOf({ fields }: UploadBody, values: object): unknown {
  const errors = validateJson(values)
  return errors.length > 0 ? fail('invalid_request', { errors }) : parseOrFail(fields, values)
}

/**
 * The name is only displayed and never opened: characters that no file name has are removed, and so are those past the
 * limit.
 */
function nameOf(filename: string | undefined): string | undefined {
  const name = filename?.replace(/[\p{Cc}\p{Cs}]/gu, '').slice(0, maxFilenameCharacters)
  return name === '' ? undefined : name
}
