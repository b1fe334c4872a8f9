import { expect } from 'vitest'

type Timestamps = 'string' | 'number'

/** Describes a part of a response: adds to `problems` what is wrong with the value at `path`. */
export type Shape = (value: unknown, path: string, problems: string[], timestamps: Timestamps) => void

/** A property that a response may omit. */
interface Optional {
  readonly optional: Shape
}

const shapeOf =
  (expected: string, isValid: (value: unknown) => boolean): Shape =>
  (value, path, problems) => {
    if (!isValid(value)) problems.push(`${path}: ${JSON.stringify(value)} is not ${expected}`)
  }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const string = shapeOf('a string', (value) => typeof value === 'string')
export const number = shapeOf('a number', (value) => typeof value === 'number' && Number.isFinite(value))
export const integer = shapeOf('an integer', Number.isSafeInteger)
export const boolean = shapeOf('a boolean', (value) => typeof value === 'boolean')
export const object = shapeOf('an object', isObject)
/** A value whose type docs/specification.md does not state. */
export const unspecified = shapeOf('a value', (value) => value !== undefined)
/** A UUID of 8-4-4-4-12 hex digits. */
export const uuid = shapeOf(
  'a UUID',
  (value) => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
)

/** Unix milliseconds that docs/specification.md declares as a string. */
export const time: Shape = (value, path, problems, timestamps) => {
  const isValid =
    timestamps === 'string' ? typeof value === 'string' && /^\d+$/.test(value) : Number.isSafeInteger(value)
  if (!isValid) problems.push(`${path}: ${JSON.stringify(value)} is not a time as a ${timestamps}`)
}

export const optional = (shape: Shape): Optional => ({ optional: shape })

export const oneOf = (...values: readonly string[]) =>
  shapeOf(`one of ${values}`, (value) => values.includes(value as string))

export const listOf =
  (item: Shape): Shape =>
  (value, path, problems, timestamps) => {
    if (!Array.isArray(value)) problems.push(`${path}: ${JSON.stringify(value)} is not an array`)
    else for (const [i, element] of value.entries()) item(element, `${path}[${i}]`, problems, timestamps)
  }

export const mapOf =
  (item: Shape): Shape =>
  (value, path, problems, timestamps) => {
    if (!isObject(value)) problems.push(`${path}: ${JSON.stringify(value)} is not an object`)
    else for (const [name, element] of Object.entries(value)) item(element, `${path}.${name}`, problems, timestamps)
  }

/** An object with exactly these properties. */
export const objectOf =
  (expected: Readonly<Record<string, Shape | Optional>>): Shape =>
  (value, path, problems, timestamps) => {
    if (!isObject(value)) {
      problems.push(`${path}: ${JSON.stringify(value)} is not an object`)
      return
    }
    for (const name of Object.keys(value))
      if (!Object.hasOwn(expected, name)) problems.push(`${path}.${name}: is not in docs/specification.md`)
    for (const [name, shape] of Object.entries(expected)) {
      const isPresent = Object.hasOwn(value, name)
      if (isPresent)
        (typeof shape === 'function' ? shape : shape.optional)(value[name], `${path}.${name}`, problems, timestamps)
      else if (typeof shape === 'function') problems.push(`${path}.${name}: is missing`)
    }
  }

/** Expects a value to have a shape, and reports all problems together. */
export function expectShape(value: unknown, shape: Shape, { timestamps = 'string' }: { timestamps?: Timestamps } = {}) {
  const problems: string[] = []
  shape(value, 'response', problems, timestamps)
  expect(problems).toEqual([])
}

const link = objectOf({ href: string, type: string })

/** `_links` with exactly these properties. */
export const links = (...names: readonly string[]) => objectOf(Object.fromEntries(names.map((name) => [name, link])))

/** `_links` of a page. */
export const pageLinks = objectOf({
  self: link,
  first: optional(link),
  prev: optional(link),
  next: optional(link),
  last: optional(link),
})

const statementFields = {
  effect: oneOf('allow', 'deny'),
  resources: optional(listOf(string)),
  notResources: optional(listOf(string)),
  actions: optional(listOf(string)),
  notActions: optional(listOf(string)),
}

export const policyStatement = objectOf(statementFields)

const accessEntry = objectOf({ action: string, reason: objectOf({ ...statementFields, role_name: string }) })

/** `_access`; the entries of both lists are independent of each other. */
export const access = objectOf({ denied: listOf(accessEntry), allowed: listOf(accessEntry) })

export const envelope = (item: Shape) => objectOf({ _links: pageLinks, totalCount: integer, items: listOf(item) })

/** The summary of a member of the account. */
export const memberSummary = objectOf({
  _links: links('self'),
  _id: string,
  role: string,
  email: string,
  firstName: string,
  lastName: string,
})
