import type { EngineOptions } from '../operation/engine-options.ts'
import type { EngineRequest } from '../operation/engine-request.ts'
import { fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import type { LazyResponseProfile } from '../operation/response-profile.ts'
import { keyPattern } from '../operation/schema.ts'
import { stableVersions } from '../operation/stable-versions.ts'
import type { MatchedCall, PathParameters, ReceivedRequest } from './call-state.ts'

export interface MatchParts {
  readonly table: OperationTable
  readonly options: EngineOptions
  /** Refuses operations that only the reference API has. Undefined for an engine of selected operations. */
  readonly unserved: { refuse(method: string, path: string): Promise<void> } | undefined
}

/**
 * Stage 1: finds the operation, by path, method and version. An unknown path is refused with 404, an unsupported method
 * of a known path with 405 and `Allow`, and an operation that only the reference API has with 501.
 */
export function match<C extends ReceivedRequest>(pipeline: MatchParts, call: C): (C & MatchedCall) | Promise<never> {
  const { table, options } = pipeline
  const { request } = call
  const route = table.match(methodOf(request), request.path)
  if (route.kind !== 'route') return refuseUnmatched(pipeline, request, route)
  // Assigned before the checks, so that a failure names the operation.
  const matched = Object.assign(call, route.route)
  checkVersion(options, request, matched.operation)
  return matched
}

/** Rejects a request that matches no operation. */
async function refuseUnmatched(
  { unserved }: Pick<MatchParts, 'unserved'>,
  request: EngineRequest,
  route: Exclude<Match, { kind: 'route' }>,
): Promise<never> {
  await unserved?.refuse(methodOf(request), request.path)
  if (route.kind === 'none') return fail('not_found')
  return fail('method_not_allowed', { headers: { allow: route.allow.join(', ') } })
}

const knownVersions = new Set(['beta', ...stableVersions.map(String)])

/**
 * Refuses an unknown version, and a beta operation without the version header `beta`
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d5-version-header).
 */
function checkVersion(options: EngineOptions, request: EngineRequest, operation: Operation): void {
  const version = versionOf(options, request)
  if (version !== undefined && !knownVersions.has(version)) {
    fail('invalid_request', { errors: [{ attribute: options.versionHeaders[0], reason: 'must be a known version' }] })
  }
  if (needsBetaHeader(options, operation) && version !== 'beta') {
    fail('forbidden', { message: `This operation is in beta: send the header ${options.versionHeaders[0]}: beta.` })
  }
}

/** Returns the version that a request names, if it names one. */
export function versionOf(options: EngineOptions, request: EngineRequest): string | undefined {
  for (const name of options.versionHeaders) {
    const value = request.header(name.toLowerCase())
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

function needsBetaHeader(options: EngineOptions, operation: Operation): boolean {
  if (operation.beta === undefined || options.betaGate === 'off') return false
  return operation.beta === 'declared' || options.betaGate === 'all'
}

/**
 * Imports the definition of an operation of which the engine has only the parts for routes and rights: `createEngine`
 * imports no definition before its first call. When the import fails, the call fails, and the next call imports again.
 */
export function loadDefinition<C extends MatchedCall>(
  { table }: { readonly table: OperationTable },
  call: C,
): C | Promise<C> {
  const { operation } = call
  if (!operation.load) return call
  return finishLoading(table, operation.load()).then((definition) => Object.assign(call, { operation: definition }))
}

/** Imports the definition of the operation, and the response profile of the engine. */
export function loadParts<C extends MatchedCall>(
  { table, profile }: { readonly table: OperationTable; readonly profile: LazyResponseProfile | undefined },
  call: C,
): C | Promise<C> {
  if (!profile || profile.loaded) return loadDefinition({ table }, call)
  return profile.load().then(() => loadDefinition({ table }, call))
}

async function finishLoading(table: OperationTable, loading: Operation | Promise<Operation>): Promise<Operation> {
  const definition = await loading
  if (definition.undoes) await loadDefinitions(table)
  table.define(definition)
  return definition
}

/** Imports the definitions of all operations of an engine. */
export async function loadDefinitions({ operations }: OperationTable): Promise<readonly Operation[]> {
  await Promise.all(operations.map((operation) => operation.load?.()))
  return operations
}

/** Returns the operation of a request, if there is one. */
export function operationOf(table: OperationTable, request: EngineRequest): Operation | undefined {
  const route = table.match(methodOf(request), request.path)
  return route.kind === 'route' ? route.route.operation : undefined
}

function methodOf({ method }: EngineRequest): string {
  return method === 'HEAD' ? 'GET' : method
}

interface Route {
  readonly operation: Operation
  readonly params: PathParameters
}

type Match =
  | { readonly kind: 'route'; readonly route: Route }
  /** The path exists, but only with these methods. */
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'none' }

const noMatch: Match = { kind: 'none' }

/** A segment of paths, and the operations whose paths end there. */
interface Node {
  readonly literals: Map<string, Node>
  parameter: Node | undefined
  /** The operations of the path by method. */
  readonly entries: Map<string, Entry>
}

interface Entry {
  /** Definition of the operation; undefined until it is imported. */
  operation: Operation
  readonly names: readonly string[]
}

interface RegisteredRoute {
  readonly node: Node
  readonly names: readonly string[]
}

const newNode = (): Node => ({ literals: new Map(), parameter: undefined, entries: new Map() })

/** The operations of an engine, and the index of their paths. */
export class OperationTable {
  readonly operations: readonly Operation[]
  /** The operations by id. */
  readonly byId: Readonly<Record<string, Operation>>
  readonly #root = newNode()
  readonly #registered = new Map<string, RegisteredRoute>()

  /** @throws Error when two operations share an id, or a method and path. */
  constructor(operations: readonly Operation[]) {
    this.operations = operations
    for (const operation of operations) {
      if (this.#registered.has(operation.id)) throw new Error(`two operations have the id ${operation.id}`)
      this.#registered.set(operation.id, this.#register(operation))
    }
    this.byId = Object.fromEntries(operations.map((operation) => [operation.id, operation]))
  }

  /** Finds the operation of a method and a raw path: still percent-encoded, without query. */
  match(method: string, path: string): Match {
    const segments = path.split('/')
    const values: string[] = []
    const node = segments[0] === '' ? findNode(this.#root, segments, 1, values) : undefined
    if (!node) return noMatch
    const entry = node.entries.get(method)
    if (!entry) return { kind: 'method', allow: [...node.entries.keys()] }
    const params = pathParameters(entry, values)
    return params ? { kind: 'route', route: { operation: entry.operation, params } } : noMatch
  }

  /** Routes later requests to the definition of an operation that `generated/listed-operations.ts` only declares. */
  define(definition: Operation): void {
    const entry = this.#registered.get(definition.id)?.node.entries.get(definition.method)
    if (entry) entry.operation = definition
  }

  /** Returns the operation with this id, if there is one. */
  find(id: string): Operation | undefined {
    return Object.hasOwn(this.byId, id) ? this.byId[id] : undefined
  }

  /** Returns all methods of the operation's path, including the method of the operation. */
  methodsAt({ id }: Operation): readonly string[] {
    return [...(this.#registered.get(id)?.node.entries.keys() ?? [])]
  }

  /** Returns the names of the path parameters, in their order. */
  paramNames({ id }: Operation): readonly string[] {
    return this.#registered.get(id)?.names ?? []
  }

  #register(operation: Operation): RegisteredRoute {
    let node = this.#root
    const names: string[] = []
    for (const segment of operation.path.split('/').slice(1)) {
      if (segment.startsWith('{')) {
        names.push(segment.slice(1, -1))
        node.parameter ??= newNode()
        node = node.parameter
      } else {
        let next = node.literals.get(segment)
        if (!next) node.literals.set(segment, (next = newNode()))
        node = next
      }
    }
    if (node.entries.has(operation.method)) throw new Error(`two operations at ${operation.method} ${operation.path}`)
    node.entries.set(operation.method, { operation, names })
    return { node, names }
  }
}

/** Prefers a literal segment to a parameter; tries the parameter when the literal leads to no operation. */
function findNode(node: Node, segments: readonly string[], index: number, values: string[]): Node | undefined {
  if (index === segments.length) return node.entries.size > 0 ? node : undefined
  const segment = segments[index] as string
  const literal = node.literals.get(segment)
  if (literal) {
    const descendant = findNode(literal, segments, index + 1, values)
    if (descendant) return descendant
  }
  if (!node.parameter || segment === '') return undefined
  values.push(segment)
  const descendant = findNode(node.parameter, segments, index + 1, values)
  if (!descendant) values.pop()
  return descendant
}

function pathParameters(entry: Entry, values: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (let i = 0; i < entry.names.length; i++) {
    const name = entry.names[i] as string
    const value = decodeSegment(values[i] as string)
    if (value === undefined || !isParam(entry.operation, name, value)) return undefined
    params[name] = value
  }
  return params
}

/**
 * Decodes percent-encoding once (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys); text that cannot
 * be decoded matches no operation.
 */
function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it rejects control characters, and lone surrogates
const freeText = /^[^\u0000-\u001f\u007f\p{Cs}]{1,256}$/u

/**
 * Returns true when a value can be a path parameter: a key
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys), or free text when the operation allows it.
 */
export function isParam(operation: Operation, name: string, value: unknown): value is string {
  if (typeof value !== 'string') return false
  const free = operation.freeParams as readonly string[] | undefined
  return free?.includes(name) ? freeText.test(value) : keyPattern.test(value)
}
