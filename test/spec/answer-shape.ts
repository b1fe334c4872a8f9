import { expect } from 'vitest'

type Timestamps = 'string' | 'number'

/** Describes a part of a response: adds to `problems` what is wrong with the value at `path`. */
export type Shape = (value: unknown, at: string, faults: string[], timestamps: Timestamps) => void

/** A property that a response may omit. */
interface Optional {
  readonly optional: Shape
}

const check =
  (wanted: string, holds: (value: unknown) => boolean): Shape =>
  (value, at, faults) => {
    if (!holds(value)) faults.push(`${at}: ${JSON.stringify(value)} is not ${wanted}`)
  }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const string = check('a string', (value) => typeof value === 'string')
export const number = check('a number', (value) => typeof value === 'number' && Number.isFinite(value))
export const integer = check('an integer', Number.isSafeInteger)
export const boolean = check('a boolean', (value) => typeof value === 'boolean')
export const object = check('an object', isObject)
/** A value whose type docs/specification.md does not state. */
export const unspecified = check('a value', (value) => value !== undefined)
/** A UUID of 8-4-4-4-12 hex digits. */
export const uuid = check(
  'a UUID',
  (value) => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
)

/** Unix milliseconds that docs/specification.md declares as a string. */
export const time: Shape = (value, at, faults, timestamps) => {
  const holds = timestamps === 'string' ? typeof value === 'string' && /^\d+$/.test(value) : Number.isSafeInteger(value)
  if (!holds) faults.push(`${at}: ${JSON.stringify(value)} is not a time as a ${timestamps}`)
}

export const optional = (shape: Shape): Optional => ({ optional: shape })

export const oneOf = (...values: readonly string[]) =>
  check(`one of ${values}`, (value) => values.includes(value as string))

export const listOf =
  (item: Shape): Shape =>
  (value, at, faults, timestamps) => {
    if (!Array.isArray(value)) faults.push(`${at}: ${JSON.stringify(value)} is not an array`)
    else for (const [i, one] of value.entries()) item(one, `${at}[${i}]`, faults, timestamps)
  }

export const mapOf =
  (item: Shape): Shape =>
  (value, at, faults, timestamps) => {
    if (!isObject(value)) faults.push(`${at}: ${JSON.stringify(value)} is not an object`)
    else for (const [name, one] of Object.entries(value)) item(one, `${at}.${name}`, faults, timestamps)
  }

/** An object with exactly these properties. */
export const members =
  (wanted: Readonly<Record<string, Shape | Optional>>): Shape =>
  (value, at, faults, timestamps) => {
    if (!isObject(value)) {
      faults.push(`${at}: ${JSON.stringify(value)} is not an object`)
      return
    }
    for (const name of Object.keys(value))
      if (!Object.hasOwn(wanted, name)) faults.push(`${at}.${name}: is not in docs/specification.md`)
    for (const [name, shape] of Object.entries(wanted)) {
      const there = Object.hasOwn(value, name)
      if (there)
        (typeof shape === 'function' ? shape : shape.optional)(value[name], `${at}.${name}`, faults, timestamps)
      else if (typeof shape === 'function') faults.push(`${at}.${name}: is missing`)
    }
  }

/** Expects a value to have a shape, and reports all problems at once. */
export function expectShape(value: unknown, shape: Shape, { timestamps = 'string' }: { timestamps?: Timestamps } = {}) {
  const faults: string[] = []
  shape(value, 'answer', faults, timestamps)
  expect(faults).toEqual([])
}

const link = members({ href: string, type: string })

/** `_links` with exactly these properties. */
export const links = (...names: readonly string[]) => members(Object.fromEntries(names.map((name) => [name, link])))

/** `_links` of a page. */
export const pageLinks = members({
  self: link,
  first: optional(link),
  prev: optional(link),
  next: optional(link),
  last: optional(link),
})

const statement = {
  effect: oneOf('allow', 'deny'),
  resources: optional(listOf(string)),
  notResources: optional(listOf(string)),
  actions: optional(listOf(string)),
  notActions: optional(listOf(string)),
}

export const policyStatement = members(statement)

const accessEntry = members({ action: string, reason: members({ ...statement, role_name: string }) })

/** `_access`; the entries of both lists are independent of each other. */
export const access = members({ denied: listOf(accessEntry), allowed: listOf(accessEntry) })

export const envelope = (item: Shape) => members({ _links: pageLinks, totalCount: integer, items: listOf(item) })

/** The summary of a member of the account. */
export const memberSummary = members({
  _links: links('self'),
  _id: string,
  role: string,
  email: string,
  firstName: string,
  lastName: string,
})
