import type { JsonPatch, PatchBody, SemanticPatch } from '../operation/body.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import { type Fault, fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { parse, type Schema } from '../operation/schema.ts'
import type { WireRequest } from '../operation/wire.ts'
import { jsonFaults } from '../rules/json-guard.ts'
import { forbiddenPaths } from '../rules/json-patch/allowed-paths.ts'
import { parseMergePatch } from '../rules/json-patch/parse-merge-patch.ts'
import { parsePatch } from '../rules/json-patch/parse-patch.ts'
import { checked } from './checked.ts'
import { uploadGiven, uploadSent } from './decode-upload.ts'
import { checkQuery, readQuery } from './query.ts'

/** What goes into a handler besides the path. */
export interface Decoded {
  readonly query: unknown
  readonly body: unknown
}

/** How a patch was announced; in process its own shape tells. */
type PatchFormat = 'json-patch' | 'semantic' | 'by-shape'

/** Door 6, over a transport: query and body become the values that the card declares; all faults are told at once. */
export async function decodeWire(options: EngineOptions, operation: Operation, request: WireRequest): Promise<Decoded> {
  const query = decodeQuery(operation, readQuery(request.query))
  if (!operation.body) return { query, body: undefined }
  if (operation.body.kind === 'upload') {
    return { query, body: uploadSent(operation.body, request, bodyLimitOf(options, operation)) }
  }
  const mediaType = readMediaType(request.header('content-type'))
  const value = await readJson(bodyLimitOf(options, operation), request)
  const semantic = options.semanticPatchModels.includes(mediaType.domainModel ?? '')
  return { query, body: decodeBody(operation, value, semantic ? 'semantic' : 'json-patch') }
}

/** Door 6, in process: the caller's object holds query members and `body` side by side with the path parameters. */
export function decodeInput(operation: Operation, input: Readonly<Record<string, unknown>>): Decoded {
  checkQuery(input)
  const query = decodeQuery(operation, input)
  if (operation.body?.kind === 'upload') return { query, body: uploadGiven(operation.body, input.body) }
  return { query, body: decodeBody(operation, input.body, 'by-shape') }
}

function decodeQuery(operation: Operation, values: unknown): unknown {
  return operation.query ? checked(operation.query, values) : {}
}

function decodeBody({ body }: Operation, value: unknown, format: PatchFormat): unknown {
  if (!body || body.kind === 'upload') return undefined
  if (value === undefined) fail('invalid_request', { explanation: 'a request body must be present' })
  const faults = jsonFaults(value)
  if (faults.length > 0) fail('invalid_request', { errors: faults })
  if (body.kind === 'json') return checked(body.schema, value)
  if (isSemantic(body, value, format)) return decodeSemanticPatch(body.semantic as Schema, value)
  return isMergePatch(body, value) ? decodeMergePatch(body, value) : decodeJsonPatch(body, value)
}

function isSemantic(body: PatchBody, value: unknown, format: PatchFormat): boolean {
  if (!body.semantic || format === 'json-patch') return false
  return format === 'semantic' || (typeof value === 'object' && value !== null && 'instructions' in value)
}

/** An empty object says nothing, so it is as wrong as for any other patch. */
function isMergePatch({ merge }: PatchBody, value: unknown): value is Readonly<Record<string, unknown>> {
  if (!merge || typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.keys(value).length > 0 && !('patch' in value)
}

function decodeMergePatch(body: PatchBody, value: Readonly<Record<string, unknown>>): JsonPatch {
  const operations = parseMergePatch(value)
  const errors = forbiddenPaths(operations, body.paths).map(({ index }) => ({
    attribute: Object.keys(value)[index] as string,
    reason: 'cannot be changed',
  }))
  if (errors.length > 0) fail('invalid_request', { errors })
  return { format: 'json-patch', comment: undefined, operations }
}

function decodeJsonPatch(body: PatchBody, value: unknown): JsonPatch {
  const patch = parsePatch(value)
  if (!patch.ok) return fail('invalid_request', { errors: patch.faults })
  const forbidden = forbiddenPaths(patch.operations, body.paths)
  if (forbidden.length > 0) {
    const errors = forbidden.map(({ index, path }) => ({
      attribute: `${index}.path`,
      reason: `${path} cannot be changed`,
    }))
    fail('invalid_request', { errors })
  }
  return { format: 'json-patch', comment: patch.comment, operations: patch.operations }
}

const maxInstructions = 1000

function decodeSemanticPatch(instruction: Schema, value: unknown): SemanticPatch<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail('invalid_request', { errors: [{ attribute: '', reason: 'must be an object with instructions' }] })
  }
  const { comment, environmentKey, instructions } = value as Record<string, unknown>
  const faults: Fault[] = []
  if (comment !== undefined && typeof comment !== 'string') faults.push(wanted('comment', 'a string'))
  if (environmentKey !== undefined && typeof environmentKey !== 'string') {
    faults.push(wanted('environmentKey', 'a string'))
  }
  if (!Array.isArray(instructions)) faults.push(wanted('instructions', 'an array'))
  else if (instructions.length > maxInstructions) {
    faults.push({ attribute: 'instructions', reason: `must hold at most ${maxInstructions} instructions` })
  }
  if (faults.length > 0) fail('invalid_request', { errors: faults })
  return {
    format: 'semantic',
    comment: comment as string | undefined,
    environmentKey: environmentKey as string | undefined,
    instructions: decodeInstructions(instruction, instructions as unknown[]),
  }
}

function decodeInstructions(schema: Schema, instructions: readonly unknown[]): unknown[] {
  const faults: Fault[] = []
  const decoded = instructions.map((instruction, index) => {
    const result = parse(schema, instruction)
    if (result.ok) return result.value
    for (const fault of result.faults)
      faults.push({ ...fault, attribute: within(`instructions.${index}`, fault.attribute) })
    return undefined
  })
  if (faults.length > 0) fail('invalid_request', { errors: faults })
  return decoded
}

function within(parent: string, attribute: string): string {
  return attribute === '' ? parent : `${parent}.${attribute}`
}

function wanted(attribute: string, what: string): Fault {
  return { attribute, reason: `must be ${what}` }
}

interface MediaType {
  readonly domainModel: string | undefined
}

/** JSON, in any of its spellings, with an optional `domain-model` (D12); no header at all is taken as JSON. */
function readMediaType(header: string | undefined): MediaType {
  if (header === undefined || header.trim() === '') return { domainModel: undefined }
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim())
  if (!/^application\/([a-z0-9.-]+\+)?json$/i.test(type)) {
    fail('invalid_request', { status: 415, message: 'The Content-Type must be application/json' })
  }
  const model = parameters.find((parameter) => parameter.toLowerCase().startsWith('domain-model='))
  return { domainModel: model?.slice('domain-model='.length).replace(/^"(.*)"$/, '$1') }
}

function bodyLimitOf(options: EngineOptions, operation: Operation): number {
  return Math.max(options.bodyLimit, operation.bodyLimit ?? 0)
}

async function readJson(limit: number, request: WireRequest): Promise<unknown> {
  if (request.body.kind === 'parsed') return request.body.value
  const text = await request.body.text(limit)
  if (text === undefined) fail('invalid_request', { status: 413, message: `The request body exceeds ${limit} bytes` })
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return fail('invalid_request', { explanation: 'the request body is not valid JSON' })
  }
}
