import type { Method, Operation } from './operation.ts'
import { keyPattern } from './schema.ts'

export interface Route {
  readonly operation: Operation
  readonly params: Readonly<Record<string, string>>
}

export type Match =
  | { readonly kind: 'route'; readonly route: Route }
  /** The path exists, the method does not; these do. */
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'none' }

export interface OperationTable {
  readonly operations: readonly Operation[]
  /** Finds the operation for a method and a raw path: still percent-encoded, without query. */
  match(method: string, path: string): Match
  /** The methods that an operation's path knows, its own among them. */
  methodsAt(operation: Operation): readonly string[]
  /** The names in an operation's path, in order. */
  paramNames(operation: Operation): readonly string[]
}

interface Node {
  readonly literals: Map<string, Node>
  parameter: Node | undefined
  readonly entries: Map<string, Entry>
}

interface Entry {
  readonly operation: Operation
  readonly names: readonly string[]
}

interface Planted {
  readonly node: Node
  readonly names: readonly string[]
}

const newNode = (): Node => ({ literals: new Map(), parameter: undefined, entries: new Map() })

/**
 * Builds the table of operations and its path index.
 *
 * @throws when two operations share an id or a method and path: a defect of the cards.
 */
export function operationTable(operations: readonly Operation[]): OperationTable {
  const root = newNode()
  const planted = new Map<string, Planted>()
  for (const operation of operations) {
    if (planted.has(operation.id)) throw new Error(`two operations are called ${operation.id}`)
    planted.set(operation.id, plant(root, operation))
  }
  return {
    operations,
    match: (method, path) => match(root, method, path),
    methodsAt: ({ id }) => [...(planted.get(id)?.node.entries.keys() ?? [])],
    paramNames: ({ id }) => planted.get(id)?.names ?? [],
  }
}

function plant(root: Node, operation: Operation): Planted {
  let node = root
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

const none: Match = { kind: 'none' }

function match(root: Node, method: string, path: string): Match {
  const segments = path.split('/')
  const values: string[] = []
  const node = segments[0] === '' ? find(root, segments, 1, values) : undefined
  if (!node) return none
  const entry = node.entries.get(method)
  if (!entry) return { kind: 'method', allow: [...node.entries.keys()] }
  const params = namedValues(entry, values)
  return params ? { kind: 'route', route: { operation: entry.operation, params } } : none
}

/** A literal goes before a parameter; where it leads nowhere, the parameter is tried. */
function find(node: Node, segments: readonly string[], at: number, values: string[]): Node | undefined {
  if (at === segments.length) return node.entries.size > 0 ? node : undefined
  const segment = segments[at] as string
  const literal = node.literals.get(segment)
  if (literal) {
    const found = find(literal, segments, at + 1, values)
    if (found) return found
  }
  if (!node.parameter || segment === '') return undefined
  values.push(segment)
  const found = find(node.parameter, segments, at + 1, values)
  if (!found) values.pop()
  return found
}

function namedValues(entry: Entry, values: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (let i = 0; i < entry.names.length; i++) {
    const name = entry.names[i] as string
    const value = decode(values[i] as string)
    if (value === undefined || !isParam(entry.operation, name, value)) return undefined
    params[name] = value
  }
  return params
}

/** Percent-encoding is decoded once (D8); what cannot be decoded names nothing. */
function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused, with lone surrogates
const freeText = /^[^\u0000-\u001f\u007f\p{Cs}]{1,256}$/u

/** Whether a value can stand for a path parameter: a key (D8), or free text where the card says so. */
export function isParam(operation: Operation, name: string, value: unknown): value is string {
  if (typeof value !== 'string') return false
  const free = operation.freeParams as readonly string[] | undefined
  return free?.includes(name) ? freeText.test(value) : keyPattern.test(value)
}

/** Whether an operation may write: every method but GET. */
export function writes(method: Method): boolean {
  return method !== 'GET'
}
