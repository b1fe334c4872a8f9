import { expect } from 'vitest'

/**
 * Shape of a value in a response: the name of a type, properties by name (a `?` after a name that may be missing), a
 * list of at least one item, or a function that returns the differences.
 */
export type Shape = keyof typeof types | Properties | readonly [Shape] | ((value: unknown, path: string) => string[])

interface Properties {
  readonly [name: string]: Shape
}

const isText = (value: unknown): value is string => typeof value === 'string'

const types = {
  string: isText,
  integer: Number.isSafeInteger,
  number: (value: unknown) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value: unknown) => typeof value === 'boolean',
  object: isObject,
  /** Unix milliseconds as docs/specification.md defines them: a string of digits. */
  'ms-string': (value: unknown) => isText(value) && /^\d{13}$/.test(value),
  /** Unix milliseconds as a number, which the engine can be configured to return. */
  'ms-number': (value: unknown) => Number.isSafeInteger(value) && String(value).length === 13,
  /** Path of an operation. */
  path: (value: unknown) => isText(value) && value.startsWith('/api/v2/'),
  url: (value: unknown) => isText(value) && /^https?:/.test(value) && URL.canParse(value),
  'media-type': (value: unknown) => isText(value) && /^[a-z]+\/[a-z.+-]+$/.test(value),
} as const

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Expects a value to have exactly this shape: no other properties, and none missing except optional ones. */
export function expectShape(value: unknown, shape: Shape): void {
  expect(differences(value, shape, 'response')).toEqual([])
}

function differences(value: unknown, shape: Shape, path: string): string[] {
  if (typeof shape === 'function') return shape(value, path)
  if (typeof shape === 'string')
    return types[shape](value) ? [] : [`${path} is not of type ${shape}: ${JSON.stringify(value)}`]
  if (isList(shape))
    return Array.isArray(value) && value.length === 0 ? [`${path} is empty`] : itemDifferences(value, shape[0], path)
  return isObject(value)
    ? propertyDifferences(value, shape, path)
    : [`${path} is not an object: ${JSON.stringify(value)}`]
}

function isList(shape: Properties | readonly [Shape]): shape is readonly [Shape] {
  return Array.isArray(shape)
}

function itemDifferences(value: unknown, shape: Shape, path: string): string[] {
  if (!Array.isArray(value)) return [`${path} is not an array: ${JSON.stringify(value)}`]
  return value.flatMap((item, index) => differences(item, shape, `${path}.${index}`))
}

function propertyDifferences(value: Readonly<Record<string, unknown>>, shape: Properties, path: string): string[] {
  const names = new Set(Object.keys(shape).map((name) => name.replace(/\?$/, '')))
  const unknownNames = Object.keys(value).filter((name) => !names.has(name))
  return [
    ...unknownNames.map((name) => `${path}.${name} is not in docs/specification.md`),
    ...Object.entries(shape).flatMap(([name, property]) => {
      const propertyName = name.replace(/\?$/, '')
      const propertyPath = `${path}.${propertyName}`
      if (Object.hasOwn(value, propertyName)) return differences(value[propertyName], property, propertyPath)
      return name.endsWith('?') ? [] : [`${propertyPath} is missing`]
    }),
  ]
}

/** A list that may be empty. */
export const listOf =
  (shape: Shape): Shape =>
  (value, path) =>
    itemDifferences(value, shape, path)

export const oneOf =
  (...allowed: readonly unknown[]): Shape =>
  (value, path) =>
    allowed.includes(value) ? [] : [`${path} is not one of ${allowed.join(', ')}: ${JSON.stringify(value)}`]

/** Returns the same shape with times as numbers. */
export function withNumbers(shape: Shape): Shape {
  if (shape === 'ms-string') return 'ms-number'
  if (typeof shape === 'string' || typeof shape === 'function') return shape
  if (isList(shape)) return [withNumbers(shape[0])]
  return Object.fromEntries(Object.entries(shape).map(([name, property]) => [name, withNumbers(property)]))
}

/** "Link": the values inside `_links`. */
export const link: Shape = { href: 'path', type: 'media-type' }

/** `_links` with these properties. */
export function linksTo(...names: readonly string[]): Shape {
  return Object.fromEntries(names.map((name) => [name, link]))
}

const strings = listOf('string')

const accessEntry: Shape = {
  action: 'string',
  reason: {
    effect: oneOf('allow', 'deny'),
    'resources?': strings,
    'notResources?': strings,
    'actions?': strings,
    'notActions?': strings,
    'role_name?': 'string',
  },
}

/** "Access details": the actions that the caller may perform on a resource, and those that are denied. */
export const accessDetails: Shape = { denied: listOf(accessEntry), allowed: listOf(accessEntry) }
