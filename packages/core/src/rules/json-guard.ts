import { formatPointer, isPrototypeName } from './json-patch/pointer.ts'

/** One thing that is wrong with what a caller sent (D3). */
export interface Fault {
  /** Where: a JSON Pointer into the body, or the name of a parameter. */
  readonly attribute: string
  /** What is wrong, as a clause that follows the attribute, e.g. `must be present`. */
  readonly reason: string
}

export interface JsonLimits {
  /** How deep containers may nest; a list of objects has two levels. Default 64. */
  readonly depth?: number
  /** How many values there may be, containers included. Default: any number. */
  readonly nodes?: number
}

const maxFaults = 20
const maxNameLength = 64

/**
 * Finds what no body may contain, whatever its schema: containers nested too deep, member names that reach a
 * prototype, NUL (Postgres cannot store it), and lone surrogates (they have no UTF-8, so they would not come back
 * from a database as they went in).
 *
 * One walk without recursion, as a body of 10,000 brackets would exhaust the stack.
 *
 * @param body a parsed JSON value.
 * @returns in the order of the body; at most 20, with which the walk ends; empty for a good body.
 */
export function jsonFaults(body: unknown, { depth = 64, nodes = Infinity }: JsonLimits = {}): Fault[] {
  const faults: Fault[] = []
  // The body is walked as the one element of a list, so that a bare text or number needs no care of its own.
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

/** A container that the walk is in. */
interface Level {
  /** Undefined for an array. */
  readonly names: readonly string[] | undefined
  readonly container: { readonly [at: string | number]: unknown }
  readonly size: number
  /** Index of the member or element that the walk is at. */
  at: number
}

function levelOf(container: object): Level {
  const names = Array.isArray(container) ? undefined : Object.keys(container)
  const { length: size } = names ?? (container as unknown[])
  return { names, container: container as Level['container'], size, at: -1 }
}

/** Moves a level on to its next container, past names and values that it looks at; undefined at its end. */
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

/** Newer than the compiler's library, yet in every runtime since Node 20; over a text without surrogates it is free. */
type Text = string & { isWellFormed(): boolean }

/** Why a text cannot be stored as it is; undefined where it can, and for what is no text. */
export function textFault(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  if (text.includes('\0')) return 'must not contain NUL'
  return (text as Text).isWellFormed() ? undefined : 'must be well-formed Unicode'
}

/** Long names are cut, so that twenty faults never weigh many times what the body did. */
function attributeOf([, ...walk]: readonly Level[]): string {
  return formatPointer(
    walk.map(({ names, at }) => {
      const name = names?.[at] ?? String(at)
      return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name
    }),
  )
}
