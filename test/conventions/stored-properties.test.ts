import { createEngine } from '@halyard/core'
import { openApiDocument } from '@halyard/openapi'
import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import * as readers from './property-readers.ts'
import { namesReadIn, storedProperties } from './stored-properties.ts'
import * as unread from './unread-properties.ts'

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly 'x-stored-only'?: true
}

const stored = storedProperties()
const propertiesIn = (list: string) => list.trim().split(/\s+/)
const readBy = Object.entries(readers.readBy).map(([file, list]) => ({ file, properties: propertiesIn(list) }))
const storedOnly = propertiesIn(unread.storedOnly)
const entries = [...readBy.flatMap(({ properties }) => properties), ...Object.values(unread).flatMap(propertiesIn)]
const lastName = (property: string) => property.split('.').at(-1) as string

it('the check sees the properties of all collections', () => {
  expect(stored.size).toBeGreaterThan(600)
  expect([...stored]).toEqual(expect.arrayContaining(['Flag.salt', 'Webhook.retiredSecret.until', 'Clause.op']))
})

it('every stored property is listed with what reads it', () => {
  const advice =
    'list it in test/conventions/property-readers.ts under the file that acts on it, or in unread-properties.ts: in ' +
    '`describes`, or in `storedOnly` when it is a setting without effect'
  expect([...stored].filter((property) => !entries.includes(property)).sort(), advice).toEqual([])
})

it('no property is listed twice, and none that is not stored', () => {
  const unknown = entries.filter((property) => !stored.has(property))
  const repeated = entries.filter((property, index) => entries.indexOf(property) !== index)
  expect({ unknown, repeated }).toEqual({ unknown: [], repeated: [] })
})

it('each reader reads its properties, and does more than to describe a response or a request', () => {
  const wrong = readBy.flatMap(({ file, properties }) => {
    const names = namesReadIn(file)
    if (!names || /-(response|schema)\.ts$/.test(file)) return [`${file} is no reader`]
    return properties.flatMap((property) =>
      names.has(lastName(property)) ? [] : [`${file} no longer reads ${property}: list it under another reader`],
    )
  })
  expect(wrong).toEqual([])
})

it('the OpenAPI document marks exactly the properties that are only stored, or an object that contains them', () => {
  const { operations } = createEngine({ storage: createMemoryStorage() })
  const { components, paths } = openApiDocument(operations, { version: '1.0.0' })
  const marked = new Set<string>()
  const covered = new Set<string>()
  const walk = (value: unknown, name: string, isInside: boolean): void => {
    if (typeof value !== 'object' || value === null) return
    // Cast: the properties of schemas that the test uses; other objects of the document have none of them.
    const schema = value as Schema
    const isMarked = schema['x-stored-only'] === true
    if (isMarked) marked.add(name)
    if (isMarked || isInside) covered.add(name)
    const reference = schema.$ref?.split('/').at(-1)
    if (reference !== undefined && (isMarked || isInside)) walk(components.schemas[reference], '', true)
    for (const [key, child] of Object.entries(schema.properties ?? {})) walk(child, key, isMarked || isInside)
    for (const [key, child] of Object.entries(value)) {
      if (key !== 'properties') walk(child, key === 'items' ? name : key, isMarked || isInside)
    }
  }
  walk(components.schemas, '', false)
  walk(paths, '', false)
  const names = new Set(storedOnly.map(lastName))
  expect([...marked].filter((name) => !names.has(name))).toEqual([])
  expect([...names].filter((name) => !covered.has(name))).toEqual([])
})
