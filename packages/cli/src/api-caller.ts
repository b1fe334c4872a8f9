import { Readable } from 'node:stream'
import { type BoundApi, type CallOptions, createEngine } from '@halyard/core'
import type { Operation, UploadInput } from '@halyard/core/operations'
import { createMemoryStorage } from '@halyard/storage-memory'
import { cliError } from './cli-error.ts'

/** The API operations that a command calls: operations of an engine in this process, or of a running server. */
export interface ApiCaller {
  readonly api: BoundApi
  close(): Promise<void>
}

/**
 * Calls the operations of a running engine over REST. Paths and methods come from the operation definitions.
 *
 * @param url base address, e.g. `http://127.0.0.1:4180`.
 * @throws CliError when the address is not valid, or no server answers there.
 */
export function remoteApi(url: string, token: string): ApiCaller {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw cliError(`--url must be an http(s) address, not "${url}"`)
  // Only the operation definitions are needed; this engine handles no requests.
  const { operations } = createEngine({ storage: createMemoryStorage() })
  const calls = operations.map((operation) => [
    operation.id,
    async (input: Input = {}, options: Preconditions = {}) =>
      send({ base: url.replace(/\/$/, ''), token }, (await operation.load?.()) ?? operation, input, options),
  ])
  return { api: Object.fromEntries(calls) as BoundApi, close: async () => {} }
}

type Input = Readonly<Record<string, unknown>>

/** Preconditions of a call. */
type Preconditions = Pick<CallOptions, 'ifMatch'>

/** A server, and the token for its requests. */
interface ServerAccess {
  readonly base: string
  readonly token: string
}

async function send(
  { base, token }: ServerAccess,
  operation: Operation,
  input: Input,
  { ifMatch }: Preconditions,
): Promise<unknown> {
  const { body: bodyInput, ...values } = input
  const used = new Set<string>()
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    used.add(name)
    return encodeURIComponent(String(values[name]))
  })
  const { body, mediaType, fields } = sentBody(operation, bodyInput)
  const query = new URLSearchParams(fields)
  for (const [name, value] of Object.entries(values)) if (!used.has(name)) query.set(name, String(value))
  const response = await fetchResponse(`${base}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method: operation.method,
    headers: {
      authorization: token,
      ...(body === undefined ? {} : { 'content-type': mediaType }),
      ...(operation.beta ? { 'SVC-API-Version': 'beta' } : {}),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  })
  const text = await response.text()
  const parsed = text === '' ? undefined : (JSON.parse(text) as { code?: string; message?: string; errors?: unknown })
  if (response.ok) return parsed
  const { code, errors, message } = parsed ?? {}
  throw Object.assign(new Error(`${response.status} ${message ?? response.statusText}`), { code, errors })
}

interface SentBody {
  readonly body: BodyInit | undefined
  readonly mediaType: string
  /** Values that are sent in the query. */
  readonly fields: Record<string, string>
}

/**
 * Returns the body to send and the fields for the query. For an upload, the body is the unchanged content of the file,
 * and the other fields are sent in the query. Every other body is sent as JSON.
 */
function sentBody({ body: declaration }: Operation, body: unknown): SentBody {
  if (declaration?.kind !== 'upload') {
    return { body: body === undefined ? undefined : JSON.stringify(body), mediaType: 'application/json', fields: {} }
  }
  const { file, filename: _, ...fields } = body as UploadInput & Readonly<Record<string, unknown>>
  const presentFields = Object.entries(fields).filter(([, value]) => value !== undefined)
  return {
    body: typeof file === 'string' ? file : (Readable.toWeb(Readable.from(file)) as BodyInit),
    mediaType: declaration.mediaType,
    fields: Object.fromEntries(presentFields.map(([name, value]) => [name, String(value)])),
  }
}

async function fetchResponse(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    throw cliError(`cannot connect to ${new URL(url).origin}`, error)
  }
}
