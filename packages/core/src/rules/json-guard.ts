import { formatPointer, isPrototypeName } from './json-patch/pointer.ts'

/** A validation error of a request (D3). */
export interface Fault {
  /** Location of the error: a JSON Pointer into the body, or the name of a parameter. */
  readonly attribute: string
  /** Violated rule, as a clause that follows the attribute, e.g. `must be present`. */
  readonly reason: string
}

export interface JsonLimits {
  /** Maximum depth of containers; a list of objects has two levels. Default 64. */
  readonly depth?: number
  /** Maximum number of values, including containers. Default: unlimited. */
  readonly nodes?: number
}

const maxFaults = 20
const maxNameLength = 64

/**
 * Finds content that no body may have, regardless of its schema: containers that are nested too deeply, property names
 * that reach a prototype, NUL (Postgres cannot store it), and unpaired surrogates (they have no UTF-8 encoding, so a
 * database would return something else).
 *
 * It walks the body without recursion, because a body of 10,000 brackets would exhaust the stack.
 *
 * @param body a parsed JSON value.
 * @returns errors in the order of the body; at most 20, after which it stops; empty if the body is valid.
 */
export function jsonFaults(body: unknown, { depth = 64, nodes = Infinity }: JsonLimits = {}): Fault[] {
  const faults: Fault[] = []
  // The body is walked as the only element of a list, so that a plain text or number needs no special case.
  const walk: Level[] = [levelOf([body])]
  let room = nodes - 1
  const report = (reason: string) => {
    if (faults.length < maxFaults) faults.push({ attribute: attributeOf(walk), reason })
  }
  for (let level = walk[0]; level && faults.length < maxFaults; level = walk[walk.length - 1]) {
    const inner = nextContainer(level, report)
    if (inner === undefined) walk.pop()
    else if (walk.length > depth) report(`must not be nested deeper than ${depth} levels`)
    else {
      const next = levelOf(inner)
      room -= next.size
      if (room < 0) return [...faults, { attribute: '', reason: `must not hold more than ${nodes} values` }]
      walk.push(next)
    }
  }
  return faults
}

/** A container on the current path. */
interface Level {
  /** Undefined for an array. */
  readonly names: readonly string[] | undefined
  readonly container: { readonly [at: string | number]: unknown }
  readonly size: number
  /** Index of the current property or element. */
  at: number
}

function levelOf(container: object): Level {
  const names = Array.isArray(container) ? undefined : Object.keys(container)
  const { length: size } = names ?? (container as unknown[])
  return { names, container: container as Level['container'], size, at: -1 }
}

/** Advances to the next child container and validates the names and values before it; returns undefined at the end. */
function nextContainer(level: Level, report: (reason: string) => void): object | undefined {
  const { names, container, size } = level
  while (++level.at < size) {
    const name = names?.[level.at]
    const value = container[name ?? level.at]
    const reason = nameFault(name) ?? textFault(value)
    if (reason !== undefined) report(reason)
    if (typeof value === 'object' && value !== null) return value
  }
  return undefined
}

function nameFault(name: string | undefined): string | undefined {
  return name !== undefined && isPrototypeName(name) ? 'must not be used as a name' : textFault(name)
}

/**
 * `isWellFormed` is newer than the compiler's library, but every runtime since Node 20 has it; its cost for a text
 * without surrogates is negligible.
 */
type Text = string & { isWellFormed(): boolean }

/** Returns the reason why a text cannot be stored; undefined if it can, and for values that are not text. */
export function textFault(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  if (text.includes('\0')) return 'must not contain NUL'
  return (text as Text).isWellFormed() ? undefined : 'must be well-formed Unicode'
}

/**
 * Returns the pointer to the current value. Long names are truncated, so that twenty errors are never much larger than
 * the body.
 */
function attributeOf([, ...walk]: readonly Level[]): string {
  return formatPointer(
    walk.map(({ names, at }) => {
      const name = names?.[at] ?? String(at)
      return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name
    }),
  )
}
