import type { JsonPatch, PatchBody, SemanticPatch } from '../operation/body.ts'
import { dryRunQuery } from '../operation/dry-run-query.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import type { EngineRequest } from '../operation/engine-request.ts'
import { fail, type ValidationError } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import type { LazyResponseProfile } from '../operation/response-profile.ts'
import { commaList, type ParseResult, parse, parseOrFail, type Schema } from '../operation/schema.ts'
import { textError, validateJson } from '../rules/json-guard.ts'
import { forbiddenPaths } from '../rules/json-patch/allowed-paths.ts'
import { parseMergePatch } from '../rules/json-patch/parse-merge-patch.ts'
import { parsePatch } from '../rules/json-patch/parse-patch.ts'
import type { AuthorizedCall, DecodedCall, ReceivedRequest } from './call-state.ts'
import { receivedUpload, uploadFromInput } from './decode-upload.ts'

/** The formats of a patch. */
type PatchFormat = 'json-patch' | 'semantic' | 'by-shape'

/**
 * Stage 5: checks the query, and then the body, against the schemas of the operation. Reports all errors of the query
 * together, and all errors of the body together. Synchronous unless a body has to be read.
 */
export function decode<C extends ReceivedRequest & AuthorizedCall>(
  { options, profile }: { readonly options: EngineOptions; readonly profile: LazyResponseProfile | undefined },
  call: C,
): (C & DecodedCall) | Promise<C & DecodedCall> {
  const { operation, request } = call
  const requested = { ...profile?.loaded?.queries[operation.id], ...readQuery(request.query) }
  const values = options.hasReferenceProfile ? withoutUnknownExpansions(operation, requested) : requested
  const { query, dryRun } = decodeQuery(operation, values)
  const input = { ...values, ...call.params }
  if (!operation.body) return Object.assign(call, { query, dryRun, body: undefined, input })
  const limit = Math.max(options.bodyLimit, operation.bodyLimit ?? 0)
  if (operation.body.kind === 'upload') {
    return Object.assign(call, { query, dryRun, body: receivedUpload(operation.body, request, requested, limit) })
  }
  const { domainModel = '' } = readMediaType(request.header('content-type'))
  const format = isSemanticPatchModel(options, domainModel) ? 'semantic' : formatWithoutModel(options)
  return readJson(limit, request).then((value) =>
    Object.assign(call, {
      query,
      dryRun,
      body: decodeBody(operation, value, format),
      input: { ...input, body: value },
    }),
  )
}

/**
 * Returns the format of a patch whose media type names no format. With the reference profile, the shape of the body
 * determines the format, because the public clients also send semantic patches as plain JSON.
 */
function formatWithoutModel({ hasReferenceProfile }: EngineOptions): PatchFormat {
  return hasReferenceProfile ? 'by-shape' : 'json-patch'
}

function isSemanticPatchModel({ semanticPatchModels: models }: EngineOptions, model: string): boolean {
  return models === 'any' ? model.toLowerCase().endsWith('.semanticpatch') : models.includes(model)
}

/**
 * Decodes the input of a call in process.
 *
 * @param input path parameters, properties of the query and `body`, in one object.
 */
export function decodeInput<C extends AuthorizedCall>(
  call: C,
  input: Readonly<Record<string, unknown>>,
): C & DecodedCall {
  const { operation } = call
  checkTexts(input)
  const { query, dryRun } = decodeQuery(operation, input, [
    ...Object.keys(call.params),
    ...(operation.body ? ['body'] : []),
  ])
  const isUpload = operation.body?.kind === 'upload'
  const body = isUpload ? uploadFromInput(operation.body, input.body) : decodeBody(operation, input.body, 'by-shape')
  return Object.assign(call, { query, dryRun, body, input })
}

/**
 * Removes the names in `expand` that the operation does not have, because the public clients also name properties that
 * this engine never adds to a response.
 */
function withoutUnknownExpansions({ query }: Operation, values: Readonly<Record<string, unknown>>) {
  if (!query || typeof values.expand !== 'string') return values
  const parsed = parse(query, values)
  const errors = parsed.ok ? [] : parsed.errors
  const unknown = new Set(
    errors.map(({ attribute }) => attribute).filter((attribute) => attribute.startsWith('expand.')),
  )
  if (unknown.size === 0) return values
  const names = parseOrFail(commaList(), values.expand)
  return { ...values, expand: names.filter((_, index) => !unknown.has(`expand.${index}`)) }
}

/** Operations that only read ignore query parameters that their schema does not have. */
function decodeQuery(
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
  others: readonly string[] = [],
): Pick<DecodedCall, 'query' | 'dryRun'> {
  if (operation.method !== 'GET') return decodeWritingQuery(operation, values, others)
  return { query: operation.query ? parseOrFail(operation.query, values) : {}, dryRun: false }
}

/**
 * Checks the query parameters of an operation that changes something. It refuses unknown parameters, because a
 * misspelled `dryRun` must not write
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d10-unknown-query-parameters).
 *
 * @param values the parameters by name; in process also the other properties of the input.
 * @param others names in `values` that are not query parameters.
 * @throws ApiError `invalid_request` naming each invalid and each unknown parameter.
 */
function decodeWritingQuery(
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
  others: readonly string[],
): Pick<DecodedCall, 'query' | 'dryRun'> {
  const declaredQuery: ParseResult<unknown> = operation.query ? parse(operation.query, values) : { ok: true, value: {} }
  const run = parse(dryRunQuery, values)
  const errors = [
    ...unknownParameters(operation, values, others),
    ...(declaredQuery.ok ? [] : declaredQuery.errors),
    ...(run.ok ? refusedDryRun(operation, run.value.dryRun) : run.errors),
  ]
  if (errors.length > 0) fail('invalid_request', { errors })
  return { query: outputOf(declaredQuery), dryRun: outputOf(run).dryRun }
}

function outputOf<T>(parsed: ParseResult<T>): T {
  return parsed.ok ? parsed.value : fail('invalid_request', { errors: parsed.errors })
}

function unknownParameters(
  { query, body }: Operation,
  values: Readonly<Record<string, unknown>>,
  others: readonly string[],
): ValidationError[] {
  // The fields of an upload are query parameters when the file is the whole body.
  const upload = body?.kind === 'upload' ? ['filename', ...namesIn(body.fields)] : []
  const known = [others, namesIn(query), upload, namesIn(dryRunQuery)]
  return Object.keys(values)
    .filter((name) => values[name] !== undefined && !known.some((names) => names.includes(name)))
    .map((attribute) => ({ attribute, reason: 'is not a known parameter' }))
}

/** Returns the names of the properties of an object schema. */
function namesIn(schema: Operation['query']): readonly string[] {
  // Cast: a schema of parameters is an object schema, or a pipe that starts with one and has its properties.
  return Object.keys((schema as { readonly entries?: object } | undefined)?.entries ?? {})
}

function refusedDryRun({ body }: Operation, dryRun: boolean): ValidationError[] {
  if (!dryRun || body?.kind !== 'upload') return []
  return [{ attribute: 'dryRun', reason: 'must not be true for an upload, which is stored in parts while it is read' }]
}

function decodeBody({ body }: Operation, value: unknown, format: PatchFormat): unknown {
  if (!body || body.kind === 'upload') return undefined
  if (value === undefined && body.kind === 'json' && body.optional) return parseOrFail(body.schema, {})
  if (value === undefined) fail('invalid_request', { explanation: 'a request body must be present' })
  const errors = validateJson(value)
  if (errors.length > 0) fail('invalid_request', { errors })
  if (body.kind === 'json') return parseOrFail(body.schema, value)
  if (isSemantic(body, value, format)) return decodeSemanticPatch(body.semantic as Schema, value)
  if (body.paths.length === 0) return fail('invalid_request', { message: onlySemantic })
  return isMergePatch(body, value) ? decodeMergePatch(body, value) : decodeJsonPatch(body, value)
}

const onlySemantic =
  'The request body must be a semantic patch: an object with instructions, and its media type over HTTP'

function isSemantic(body: PatchBody, value: unknown, format: PatchFormat): boolean {
  if (!body.semantic || format === 'json-patch') return false
  return format === 'semantic' || (typeof value === 'object' && value !== null && 'instructions' in value)
}

/**
 * Returns true if a value is a merge patch. An empty object is not, because it changes nothing; it is rejected like an
 * empty patch of any other format.
 */
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
  if (!patch.ok) return fail('invalid_request', { errors: patch.errors.map(withDottedPath) })
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

/**
 * Returns a validation error with the dotted path of a part of the body, in place of the JSON Pointer of the same part.
 */
function withDottedPath({ attribute, reason }: ValidationError): ValidationError {
  return { attribute: attribute.slice(1).replaceAll('/', '.'), reason }
}

const maxInstructions = 1000

function decodeSemanticPatch(instruction: Schema, value: unknown): SemanticPatch<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail('invalid_request', { errors: [{ attribute: '', reason: 'must be an object with instructions' }] })
  }
  const { comment, environmentKey, instructions } = value as Record<string, unknown>
  const errors: ValidationError[] = []
  if (comment !== undefined && typeof comment !== 'string')
    errors.push({ attribute: 'comment', reason: 'must be a string' })
  if (environmentKey !== undefined && typeof environmentKey !== 'string') {
    errors.push({ attribute: 'environmentKey', reason: 'must be a string' })
  }
  if (!Array.isArray(instructions)) errors.push({ attribute: 'instructions', reason: 'must be an array' })
  else if (instructions.length > maxInstructions) {
    errors.push({ attribute: 'instructions', reason: `must contain at most ${maxInstructions} instructions` })
  }
  if (errors.length > 0) fail('invalid_request', { errors })
  return {
    format: 'semantic',
    comment: comment as string | undefined,
    environmentKey: environmentKey as string | undefined,
    instructions: decodeInstructions(instruction, instructions as unknown[]),
  }
}

function decodeInstructions(schema: Schema, instructions: readonly unknown[]): unknown[] {
  const errors: ValidationError[] = []
  const decoded = instructions.map((instruction, index) => {
    const result = parse(schema, instruction)
    if (result.ok) return result.value
    for (const error of result.errors) {
      errors.push({ ...error, attribute: within(`instructions.${index}`, error.attribute) })
    }
    return undefined
  })
  if (errors.length > 0) fail('invalid_request', { errors })
  return decoded
}

function within(parent: string, attribute: string): string {
  return attribute === '' ? parent : `${parent}.${attribute}`
}

/**
 * Accepts the media types of JSON, with an optional `domain-model`
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch). A missing header means JSON.
 */
function readMediaType(header: string | undefined): { readonly domainModel: string | undefined } {
  if (header === undefined || header.trim() === '') return { domainModel: undefined }
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim())
  if (!/^application\/([a-z0-9.-]+\+)?json$/i.test(type)) {
    fail('invalid_request', { status: 415, message: 'The Content-Type must be application/json' })
  }
  const model = parameters.find((parameter) => parameter.toLowerCase().startsWith('domain-model='))
  return { domainModel: model?.slice('domain-model='.length).replace(/^"(.*)"$/, '$1') }
}

async function readJson(limit: number, request: EngineRequest): Promise<unknown> {
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

/**
 * Parses a raw query into its parameters. If a name is repeated, the last parameter counts.
 *
 * @throws ApiError `invalid_request` for invalid percent-encoding, and for text that no storage can store.
 */
export function readQuery(raw: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null)
  if (raw === '') return values
  const errors: ValidationError[] = []
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const equalsIndex = pair.indexOf('=')
    const name = decodeText(equalsIndex < 0 ? pair : pair.slice(0, equalsIndex))
    const value = decodeText(equalsIndex < 0 ? '' : pair.slice(equalsIndex + 1))
    if (name === undefined || value === undefined || (textError(name) ?? textError(value)) !== undefined) {
      errors.push({ attribute: printable(name ?? 'query'), reason: 'must be valid percent-encoded text' })
    } else values[name] = value
  }
  if (errors.length > 0) fail('invalid_request', { errors })
  return values
}

/**
 * Checks the texts of a call in process outside its body, as `readQuery` does over a transport.
 *
 * @param input texts, and lists of texts, by name; the schema rejects other values.
 * @throws ApiError `invalid_request` for text that no storage can store.
 */
function checkTexts(input: Readonly<Record<string, unknown>>): void {
  const errors: ValidationError[] = []
  for (const name in input) {
    if (name === 'body') continue
    const value = input[name]
    const reason = textError(name) ?? (Array.isArray(value) ? value.map(textError).find(Boolean) : textError(value))
    if (reason !== undefined) errors.push({ attribute: printable(name), reason })
  }
  if (errors.length > 0) fail('invalid_request', { errors })
}

function printable(name: string): string {
  return name.replaceAll('\0', '').replaceAll(/\p{Cs}/gu, '')
}

function decodeText(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
