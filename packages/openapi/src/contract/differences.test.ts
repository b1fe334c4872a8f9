import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../document/make-document.ts'
import type { JsonSchema, OpenApiDocument } from '../document/open-api-document.ts'
import { changeReport } from './change-report.ts'
import { contractOf } from './contract.ts'
import { type Difference, differences } from './differences.ts'

interface OperationParts {
  readonly id?: string
  readonly query?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly body?: JsonSchema
  readonly response?: JsonSchema
  readonly beta?: true
}

/** Returns a document of one operation with these parts. */
function documentOf({
  id = 'getThing',
  query = {},
  required = [],
  body,
  response,
  beta,
}: OperationParts): OpenApiDocument {
  const operation = {
    operationId: id,
    parameters: Object.entries(query).map(([name, schema]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      schema,
    })),
    ...(body ? { requestBody: { content: { 'application/json': { schema: body } } } } : {}),
    responses: { 200: response ? { content: { 'application/json': { schema: response } } } : {} },
    ...(beta ? { 'x-beta': true } : {}),
  }
  return { paths: { [`/${id}`]: { post: operation } }, components: { schemas: {} } } as never
}

const differencesBetween = (before: OperationParts, after: OperationParts) =>
  differences(contractOf(documentOf(before)), contractOf(documentOf(after))).map(toShortText)

const toShortText = ({ change, path, description, breaking }: Difference) =>
  `${breaking ? 'BREAKS ' : ''}${path ?? 'operation'} ${change === 'changed' ? description : change}`

const text = { type: 'string' } as const
const object = (properties: Readonly<Record<string, JsonSchema>>, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
})

describe('the comparison of requests', () => {
  it.each<[string, OperationParts, OperationParts, string[]]>([
    ['an added optional parameter', {}, { query: { q: text } }, ['query.q added']],
    ['an added required parameter', {}, { query: { q: text }, required: ['q'] }, ['BREAKS query.q added']],
    ['a removed parameter', { query: { q: text } }, {}, ['BREAKS query.q removed']],
    [
      'a parameter that became required',
      { query: { q: text } },
      { query: { q: text }, required: ['q'] },
      ['BREAKS query.q is required now'],
    ],
    [
      'a parameter that became optional',
      { query: { q: text }, required: ['q'] },
      { query: { q: text } },
      ['query.q is optional now'],
    ],
    [
      'a tighter limit',
      { query: { q: { type: 'integer', maximum: 9 } } },
      { query: { q: { type: 'integer', maximum: 5 } } },
      ['BREAKS query.q maximum 9 became 5'],
    ],
    [
      'a looser limit',
      { query: { q: { type: 'integer', minimum: 3 } } },
      { query: { q: { type: 'integer' } } },
      ['query.q minimum 3 became none'],
    ],
    [
      'a changed pattern',
      { query: { q: { type: 'string', pattern: 'a' } } },
      { query: { q: { type: 'string', pattern: 'b' } } },
      ['BREAKS query.q pattern a became b'],
    ],
    [
      'a changed default',
      { query: { q: { type: 'integer', default: 1 } } },
      { query: { q: { type: 'integer', default: 2 } } },
      ['BREAKS query.q default 1 became 2'],
    ],
    [
      'an added and a removed value',
      { query: { q: { enum: ['a', 'b'] } } },
      { query: { q: { enum: ['b', 'c'] } } },
      ['BREAKS query.q value a was removed', 'query.q value c was added'],
    ],
    [
      'a changed type',
      { body: object({ a: text }) },
      { body: object({ a: { type: 'integer' } }) },
      ['BREAKS body.a string became integer'],
    ],
    [
      'a wider type',
      { body: object({ a: text }) },
      { body: object({ a: { anyOf: [text, { type: 'integer' }] } }) },
      ['body.a string became integer or string'],
    ],
    [
      'an added object, once',
      { body: object({}) },
      { body: object({ a: object({ b: text }, 'b') }) },
      ['body.a added'],
    ],
  ])('reports %s', (_, before, after, expected) => {
    expect(differencesBetween(before, after)).toEqual(expected)
  })
})

describe('the comparison of responses', () => {
  it.each<[string, JsonSchema, JsonSchema, string[]]>([
    ['an added property', object({}), object({ a: text }, 'a'), ['response.a added']],
    ['a removed property', object({ a: text }), object({}), ['BREAKS response.a removed']],
    [
      'a property that became optional',
      object({ a: text }, 'a'),
      object({ a: text }),
      ['BREAKS response.a is optional now'],
    ],
    ['a property that became required', object({ a: text }), object({ a: text }, 'a'), ['response.a is required now']],
    [
      'an added value',
      object({ a: { enum: ['x'] } }),
      object({ a: { enum: ['x', 'y'] } }),
      ['BREAKS response.a value y was added'],
    ],
    [
      'a wider type',
      object({ a: text }),
      object({ a: { type: ['string', 'null'] as never } }),
      ['BREAKS response.a string became null or string'],
    ],
    [
      'a removed property of a nested item',
      object({ a: { type: 'array', items: object({ b: text }) } }),
      object({ a: { type: 'array', items: object({}) } }),
      ['BREAKS response.a[].b removed'],
    ],
  ])('reports %s', (_, before, after, expected) => {
    expect(differencesBetween({ response: before }, { response: after })).toEqual(expected)
  })
})

describe('the comparison of operations', () => {
  it('reports removed and added operations and changes of the beta status', () => {
    expect(differencesBetween({ id: 'getOld' }, { id: 'getNew' })).toEqual([
      'BREAKS operation removed',
      'operation added',
    ])
    expect(differencesBetween({}, { beta: true })).toEqual(['BREAKS operation is in beta now'])
    expect(differencesBetween({ beta: true }, {})).toEqual(['operation is no longer in beta'])
  })

  it('ignores the names of components', () => {
    const { operations } = createEngine({ storage: createMemoryStorage() })
    const document = openApiDocument(operations.slice(0, 40), { version: '1.0.0' })
    const renamedDocument = JSON.parse(
      JSON.stringify(document).replaceAll('"Project"', '"Undertaking"').replaceAll('/Project"', '/Undertaking"'),
    )
    expect(renamedDocument.components.schemas).toHaveProperty('Undertaking')
    expect(differences(contractOf(document), contractOf(renamedDocument))).toEqual([])
  })
})

it('changeReport lists breaking changes before all others', () => {
  const changes = differences(
    contractOf(documentOf({ query: { q: text } })),
    contractOf(documentOf({ query: { r: text } })),
  )
  expect(changeReport(changes, '1.2.3')).toBe(
    `${[
      '# What changed in the API since 1.2.3',
      'Written by `npm run generate`, which compares the current document with the document of the last release.',
      '## Breaking',
      '- `getThing` `query.q` removed: optional, string',
      '## Other changes',
      '- `getThing` `query.r` added: optional, string',
    ].join('\n\n')}\n`,
  )
})
