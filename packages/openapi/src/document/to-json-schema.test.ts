import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { nameSchemas } from './name-schemas.ts'
import { jsonSchemaOf } from './to-json-schema.ts'

const wholeNumber = v.pipe(
  v.union([v.number(), v.string()]),
  v.check((value) => Number.isInteger(Number(value)), 'must be an integer'),
  v.transform(Number),
  v.minValue(1),
  v.maxValue(100),
)

const commaList = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => (typeof value === 'string' ? value.split(',') : value)),
)

const storedOnly = (schema: v.GenericSchema) => v.pipe(schema, v.metadata({ 'x-stored-only': true }))

describe('a schema that is converted to JSON Schema', () => {
  it.each<[string, v.GenericSchema, object]>([
    ['an integer that is accepted as text', wholeNumber, { type: 'integer', minimum: 1, maximum: 100 }],
    ['a list that is accepted as comma-separated text', commaList, { type: 'array', items: { type: 'string' } }],
    [
      'a comma-separated list of enumerated values',
      v.optional(v.pipe(commaList, v.array(v.picklist(['a', 'b'])), v.maxLength(2)), []),
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 2 },
    ],
    ['a value that is only stored', storedOnly(v.boolean()), { type: 'boolean', 'x-stored-only': true }],
    [
      'an integer that is only stored and accepted as text',
      v.optional(storedOnly(wholeNumber), 1),
      { type: 'integer', minimum: 1, maximum: 100, default: 1, 'x-stored-only': true },
    ],
    ['a boolean that is accepted as text', v.union([v.boolean(), v.picklist(['true', 'false'])]), { type: 'boolean' }],
    [
      'a rule that JSON Schema cannot express',
      v.pipe(
        v.string(),
        v.check(() => true, 'must be lowercase'),
      ),
      { type: 'string', description: 'Must be lowercase.' },
    ],
    [
      'a list of unique items',
      v.pipe(
        v.array(v.string()),
        v.check(() => true, 'must not repeat a tag'),
      ),
      { type: 'array', items: { type: 'string' }, uniqueItems: true, description: 'Must not repeat a tag.' },
    ],
    [
      'a case-insensitive pattern',
      v.pipe(v.string(), v.regex(/^a$/i, 'must be a')),
      { type: 'string', description: 'Must be a.' },
    ],
    [
      'a record',
      v.pipe(
        v.custom<Record<string, string>>(() => true, 'must be an object'),
        v.record(v.string(), v.string()),
      ),
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    [
      'a timestamp of a response',
      v.object({ at: v.union([v.pipe(v.string(), v.digits()), v.pipe(v.number(), v.integer())]) }),
      { type: 'object', properties: { at: { $ref: '#/components/schemas/Timestamp' } }, required: ['at'] },
    ],
  ])('is %s', (_, schema, expected) => {
    expect(jsonSchemaOf(schema)).toEqual(expected)
  })

  it('causes an error when a part cannot be converted', () => {
    expect(() => jsonSchemaOf(v.custom<string>(() => true))).toThrow('cannot be converted to JSON Schema')
    expect(() => jsonSchemaOf(v.date())).toThrow('date')
  })
})

describe('nameSchemas', () => {
  const location = {
    type: 'object',
    properties: { latitude: { type: 'number' }, longitude: { type: 'number' } },
    required: ['latitude', 'longitude'],
  }
  const objectWith = (properties: object) => ({ type: 'object', properties }) as never
  const root = (name: string, schema: object, rank = 0) => ({
    name,
    fallbackName: `${name}Answer`,
    rank,
    schema: schema as never,
  })

  it('names a schema that occurs several times once, after the property that contains it', () => {
    const { roots, schemas } = nameSchemas([
      root('Shop', objectWith({ places: { type: 'array', items: location } })),
      root('Person', objectWith({ _place: location })),
    ])
    expect(roots).toEqual([{ $ref: '#/components/schemas/Shop' }, { $ref: '#/components/schemas/Person' }])
    expect(schemas.Place).toEqual(location)
    expect(schemas.Shop?.properties?.places).toEqual({ type: 'array', items: { $ref: '#/components/schemas/Place' } })
  })

  it('keeps the mark of a property that is only stored beside the reference to its schema', () => {
    const { roots, schemas } = nameSchemas([
      root('Shop', objectWith({ place: { ...location, 'x-stored-only': true } })),
      root('Person', objectWith({ place: location })),
    ])
    expect(roots).toHaveLength(2)
    expect(schemas.Place).toEqual(location)
    expect(schemas.Shop?.properties?.place).toEqual({ $ref: '#/components/schemas/Place', 'x-stored-only': true })
    expect(schemas.Person?.properties?.place).toEqual({ $ref: '#/components/schemas/Place' })
  })

  it('uses the name of the root with the lowest rank, and no name twice', () => {
    const { roots } = nameSchemas([
      root('Shops', location, 5),
      root('Shop', location, 1),
      root('Shop', objectWith({ name: { type: 'string' } }), 2),
    ])
    expect(roots.map(({ $ref }) => $ref?.split('/').at(-1))).toEqual(['Shop', 'Shop', 'ShopAnswer'])
  })
})
