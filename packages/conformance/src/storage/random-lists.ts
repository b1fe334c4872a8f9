import type { Condition, Fields, FieldValue, ListQuery } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { type Chance, createChance } from './chance.ts'
import { commit, insert, place } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { type PlainDocument, readPlainly } from './plain-reading.ts'

const scopes = ['', 'p', 'p:e', 'p:e:f', 'p2', 'p;', 'q%'] as const
const words = ['', 'a', 'A', 'ab', 'Ab%', 'a_b', 'b\\', '1', 'true', 'null', '\u00e9', '\ufffd', '\u{1f600}'] as const
const numbers = [-1.5, 0, 1, 2, 10, 1e21] as const
const fieldNames = ['name', 'n', 'on', 'tags', 'none', 'key'] as const

export const randomListCases: StorageCases = {
  group: 'random lists',
  cases: {
    'two hundred random lists equal the results of the reference implementation': async ({ account }) => {
      const chance = createChance(20_261_101)
      const documents = Array.from({ length: 90 }, (_, i) => randomDocument(chance, i))
      await commit(account, ...documents.map((one) => insert(place(one.key, one.scope), one.key, one.fields)))
      for (let i = 0; i < 200; i++) {
        const query = randomQuery(chance)
        const expected = readPlainly(documents, query)
        const page = await account.list({ ...query, collection: 'things', select: 'fields' })
        const got = page.items.map(({ scope, key, fields }) => ({ scope, key, fields }))
        assert.deepEqual(got, expected.items, JSON.stringify(query))
        assert.equal(page.total, query.count ? expected.total : undefined, JSON.stringify(query))
      }
    },
  },
}

function randomDocument(chance: Chance, i: number): PlainDocument {
  const fields: Record<string, FieldValue> = {}
  if (chance.below(4) > 0) fields.name = chance.oneOf<FieldValue>([...words, null])
  if (chance.below(4) > 0) fields.n = chance.oneOf<FieldValue>([...numbers, null, '1'])
  if (chance.below(2) > 0) fields.on = chance.oneOf<FieldValue>([true, false, null, 'true'])
  if (chance.below(3) > 0) fields.tags = Array.from({ length: chance.below(3) }, () => chance.oneOf(words))
  return { scope: chance.oneOf(scopes), key: `${chance.oneOf(words)}${i % 20}-${i}`, fields: fields as Fields }
}

function randomQuery(chance: Chance): Omit<ListQuery, 'collection' | 'select'> {
  const order = Array.from({ length: chance.below(3) }, () => ({
    field: chance.oneOf(fieldNames),
    type: 'text' as const,
    descending: chance.below(2) === 0,
  }))
  return {
    scope: chance.oneOf(scopes),
    deep: chance.below(3) > 0,
    where: Array.from({ length: chance.below(3) }, () => randomCondition(chance, 3)),
    order: order.map((one) => (one.field === 'n' ? { ...one, type: 'number' } : one)),
    limit: chance.oneOf([0, 1, 5, 100]),
    offset: chance.oneOf([undefined, 0, 1, 7]),
    count: chance.below(2) === 0,
  }
}

function randomCondition(chance: Chance, depth: number): Condition {
  const field = chance.oneOf(fieldNames)
  const parts = () => Array.from({ length: chance.below(4) }, () => randomCondition(chance, depth - 1))
  switch (chance.below(depth > 0 ? 8 : 5)) {
    case 0:
      return {
        op: 'equals',
        field,
        value: chance.oneOf<string | number | boolean>([...words, ...numbers, true, false]),
      }
    case 1:
      return {
        op: 'anyOf',
        field,
        values: Array.from({ length: chance.below(4) }, () => chance.oneOf([...words, ...numbers])),
      }
    case 2:
      return { op: 'contains', in: [field, chance.oneOf(fieldNames)], text: chance.oneOf(words) }
    case 3:
      return { op: 'exists', field, value: chance.below(2) === 0 }
    case 4:
      return {
        op: 'range',
        field,
        from: chance.oneOf([undefined, ...numbers]),
        to: chance.oneOf([undefined, ...numbers]),
      }
    case 5:
      return { op: 'and', all: parts() }
    case 6:
      return { op: 'or', any: parts() }
    default:
      return { op: 'not', condition: randomCondition(chance, depth - 1) }
  }
}
