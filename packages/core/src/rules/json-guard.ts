import { formatPointer, isPrototypeName } from './json-patch/pointer.ts'

/** A validation error of a request (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body). */
export interface ValidationError {
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

const maxErrors = 20
const maxNameLength = 64

/**
 * Finds content that no body may have, regardless of its schema: containers that are nested too deeply, property names
 * that reach a prototype, NUL (Postgres cannot store it), and unpaired surrogates (they have no UTF-8 encoding, so a
 * database would return something else).
 *
 * It walks the body without recursion, because a body of 10,000 brackets would exhaust the stack.
 *
 * @param body a parsed JSON value.
 * @returns errors in the order of the body; the search ends after 20 errors; empty if the body is valid.
 */
export function validateJson(body: unknown, { depth = 64, nodes = Infinity }: JsonLimits = {}): ValidationError[] {
  const errors: ValidationError[] = []
  // The body is walked as the only element of a list, so that a plain text or number needs no special case.
  const path: Level[] = [levelOf([body])]
  let remaining = nodes - 1
  const report = (reason: string) => {
    if (errors.length < maxErrors) errors.push({ attribute: attributeOf(path), reason })
  }
  for (let level = path[0]; level && errors.length < maxErrors; level = path[path.length - 1]) {
    const child = nextContainer(level, report)
    if (child === undefined) path.pop()
    else if (path.length > depth) report(`must not be nested deeper than ${depth} levels`)
    else {
      const next = levelOf(child)
      remaining -= next.size
      if (remaining < 0) return [...errors, { attribute: '', reason: `must not hold more than ${nodes} values` }]
      path.push(next)
    }
  }
  return errors
}

/** A container on the current path. */
interface Level {
  /** Names of the properties of an object; undefined for an array. */
  readonly names: readonly string[] | undefined
  readonly container: { readonly [index: string | number]: unknown }
  readonly size: number
  /** Index of the current property or element. */
  index: number
}

function levelOf(container: object): Level {
  const names = Array.isArray(container) ? undefined : Object.keys(container)
  const { length: size } = names ?? (container as unknown[])
  return { names, container: container as Level['container'], size, index: -1 }
}

/** Advances to the next child container and validates the names and values before it; returns undefined at the end. */
function nextContainer(level: Level, report: (reason: string) => void): object | undefined {
  const { names, container, size } = level
  while (++level.index < size) {
    const name = names?.[level.index]
    const value = container[name ?? level.index]
    const reason = nameError(name) ?? textError(value)
    if (reason !== undefined) report(reason)
    if (typeof value === 'object' && value !== null) return value
  }
  return undefined
}

function nameError(name: string | undefined): string | undefined {
  return name !== undefined && isPrototypeName(name) ? 'must not be used as a name' : textError(name)
}

/**
 * Cast: `isWellFormed` is newer than the compiler's library, but every runtime since Node 20 has it. The check costs
 * almost nothing for a text without surrogates.
 */
type Text = string & { isWellFormed(): boolean }

/** Returns the reason why a text cannot be stored; undefined if it can, and for values that are not text. */
export function textError(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  if (text.includes('\0')) return 'must not contain NUL'
  return (text as Text).isWellFormed() ? undefined : 'must be well-formed Unicode'
}

/**
 * Returns the pointer to the current value. Long names are truncated, so that twenty errors are never much larger than
 * the body.
 */
function attributeOf([, ...path]: readonly Level[]): string {
  return formatPointer(
    path.map(({ names, index }) => {
      const name = names?.[index] ?? String(index)
      return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name
    }),
  )
}
