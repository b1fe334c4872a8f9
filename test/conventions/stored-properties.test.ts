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

it('at most 9 settings have no effect', () => {
  expect(storedOnly.length, storedOnly.join('\n')).toBeLessThanOrEqual(9)
})

it('every stored property is listed with the file that reads it', () => {
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

it('each listed file reads its properties, and does more than describe a response or a request', () => {
  const wrong = readBy.flatMap(({ file, properties }) => {
    const names = namesReadIn(file)
    if (!names || /-(response|schema)\.ts$/.test(file)) return [`${file} is not a reader`]
    return properties.flatMap((property) =>
      names.has(lastName(property)) ? [] : [`${file} no longer reads ${property}: list it under another reader`],
    )
  })
  expect(wrong).toEqual([])
})

interface Marks {
  /** Names of the properties with the mark `x-stored-only`. */
  readonly marked: Set<string>
  /** Names of the marked properties and of the properties inside them. */
  readonly covered: Set<string>
  /** Names of the properties that neither have the mark nor are inside a marked property. */
  readonly uncovered: Set<string>
}

/** Returns the marks of the properties in the requests and responses of all operations. */
function documentMarks(): Marks {
  const { operations } = createEngine({ storage: createMemoryStorage() })
  const { components, paths } = openApiDocument(operations, { version: '1.0.0' })
  const marks: Marks = { marked: new Set(), covered: new Set(), uncovered: new Set() }
  const visited = new Set<string>()
  walk(paths, '', false)
  return marks

  function walk(value: unknown, name: string, isInside: boolean): void {
    if (typeof value !== 'object' || value === null) return
    // Cast: the properties of schemas that the test uses; other objects of the document have none of them.
    const { $ref, properties = {}, 'x-stored-only': isMarked = false } = value as Schema
    const isCovered = isMarked || isInside
    if (isMarked) marks.marked.add(name)
    if (name !== '') marks[isCovered ? 'covered' : 'uncovered'].add(name)
    if ($ref?.startsWith('#/components/schemas/') && !visited.has(`${$ref} ${isCovered}`)) {
      visited.add(`${$ref} ${isCovered}`)
      walk(components.schemas[$ref.split('/').at(-1) as string], '', isCovered)
    }
    for (const [key, child] of Object.entries(properties)) walk(child, key, isCovered)
    for (const [key, child] of Object.entries(value)) if (key !== 'properties') walk(child, '', isCovered)
  }
}

// Responses show `on` of the targeting of an AI config as `enabled`.
const namesOfResponses = ['enabled']

it('the OpenAPI document marks exactly the properties that are only stored, or an object that contains them', () => {
  const { marked, covered, uncovered } = documentMarks()
  const names = new Set(storedOnly.map(lastName))
  expect([...marked].filter((name) => !names.has(name))).toEqual([])
  expect([...names].filter((name) => !covered.has(name))).toEqual([])
  const otherProperties = entries.filter((property) => !storedOnly.includes(property)).map(lastName)
  const otherNames = new Set([...otherProperties, ...namesOfResponses])
  const advice = 'mark the property with `storedOnly` in the schemas of requests and of responses'
  expect(
    [...names].filter((name) => !otherNames.has(name) && uncovered.has(name)),
    advice,
  ).toEqual([])
})
