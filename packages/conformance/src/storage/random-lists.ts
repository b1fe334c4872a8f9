import type { Condition, Fields, FieldValue, ListQuery, Order } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { commit, documentId, insert } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { type ReferenceDocument, referenceList } from './reference-list.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'

const scopes = ['', 'p', 'p:e', 'p:e:f', 'p2', 'p;', 'q%'] as const
const words = ['', 'a', 'A', 'ab', 'Ab%', 'a_b', 'b\\', '1', 'true', 'null', '\u00e9', '\ufffd', '\u{1f600}'] as const
/** Parts of the keys that an engine makes. */
const madeParts = ['1b2', 'B2C', '-8a', 'zzz'] as const
const numbers = [-1.5, 0, 1, 2, 10, 1e21] as const
const fieldNames = ['name', 'n', 'on', 'tags', 'none', 'key'] as const

export const randomListCases: StorageCases = {
  group: 'random lists',
  cases: {
    'two hundred random lists equal the results of the reference implementation': async ({ account }) => {
      const random = createSeededRandom(20_261_101)
      const documents = Array.from({ length: 90 }, (_, i) => randomDocument(random, i))
      await commit(
        account,
        ...documents.map((document) => insert(documentId(document.key, document.scope), document.key, document.fields)),
      )
      for (let i = 0; i < 200; i++) {
        const query = randomQuery(random)
        const expected = referenceList(documents, query)
        const page = await account.list({ ...query, collection: 'things', select: 'fields' })
        const actual = page.items.map(({ scope, key, fields }) => ({ scope, key, fields }))
        assert.deepEqual(actual, expected.items, JSON.stringify(query))
        assert.equal(page.total, query.count ? expected.total : undefined, JSON.stringify(query))
      }
    },
    'deep lists of few and of many scopes contain exactly the documents that meet their conditions': async ({
      account,
    }) => {
      const inScope = (scope: string, key: string, tag: string): ReferenceDocument => ({
        scope,
        key,
        fields: { name: `${key} of ${scope}`, tags: [tag], n: 1 },
      })
      // More scopes than the number up to which a list searches an index for each scope separately.
      const documents = Array.from({ length: 240 }, (_, i) => [
        inScope(`many:s${i % 120}`, `k${i}`, words[1 + (i % 7)] as string),
        inScope(`few:s${i % 6}:${i % 2}`, `k${i}`, words[1 + (i % 7)] as string),
        inScope('few', `own${i}`, 'other'),
      ]).flat()
      await commit(
        account,
        ...documents.map((document) => insert(documentId(document.key, document.scope), document.key, document.fields)),
      )
      const wheres: readonly Condition[][] = [
        [{ op: 'equals', field: 'tags', value: 'ab' }],
        [{ op: 'anyOf', field: 'tags', values: ['a', 'other'] }],
        [{ op: 'contains', in: ['name'], text: 'k23' }],
        [
          { op: 'equals', field: 'tags', value: 'ab' },
          { op: 'contains', in: ['name'], text: 'k2' },
        ],
      ]
      for (const scope of ['many', 'few', 'few:s3', '', 'none'])
        for (const where of wheres) {
          const query = { scope, deep: true, where, limit: 20, offset: 2, count: true } as const
          const expected = referenceList(documents, query)
          const page = await account.list({ ...query, collection: 'things', select: 'fields' })
          const label = JSON.stringify(query)
          assert.deepEqual(
            page.items.map(({ scope, key }) => ({ scope, key })),
            expected.items.map(({ scope, key }) => ({ scope, key })),
            label,
          )
          assert.equal(page.total, expected.total, label)
        }
    },
    'lists and deletions by values of fields equal the results of the reference implementation': async ({
      account,
    }) => {
      const random = createSeededRandom(20_261_129)
      let documents = Array.from({ length: 150 }, (_, i) => randomDocument(random, i))
      await commit(
        account,
        ...documents.map((document) => insert(documentId(document.key, document.scope), document.key, document.fields)),
      )
      for (let round = 0; round < 40; round++) {
        const keys = documents.map(({ key }) => key)
        const searches = Array.from({ length: 5 }, () => ({
          scope: random.oneOf(scopes),
          deep: true,
          where: Array.from({ length: random.below(4) }, () => randomEquality(random, keys)),
          limit: random.oneOf([1, 3, 100]),
        }))
        // The pages are requested together, because a storage may combine them into one query.
        const pages = await Promise.all(
          searches.map((search) => account.list({ ...search, collection: 'things', select: 'fields' })),
        )
        for (const [i, search] of searches.entries()) {
          const actual = pages[i]?.items.map(({ scope, key, fields }) => ({ scope, key, fields }))
          assert.deepEqual(actual, referenceList(documents, search).items, JSON.stringify(search))
        }
        const { scope, where } = searches[0] ?? { scope: '', where: [] }
        if (where.length === 0) continue
        const all = { scope, deep: true, where, limit: documents.length }
        const deleted = new Set(referenceList(documents, all).items.map(({ scope, key }) => `${scope} ${key}`))
        const change = { do: 'discard-all', collection: 'things', scope, where } as const
        assert.deepEqual(await commit(account, change), [deleted.size], JSON.stringify(change))
        documents = documents.filter(({ scope, key }) => !deleted.has(`${scope} ${key}`))
      }
      assert.isTrue(documents.length > 0)
    },
    'searches for parts of keys find keys that people chose and keys that engines generated': async ({ account }) => {
      const random = createSeededRandom(20_261_128)
      const documents = Array.from({ length: 60 }, (_, i) => ({ ...randomDocument(random, i), scope: 'p' }))
      await commit(
        account,
        ...documents.map((document) => insert(documentId(document.key, document.scope), document.key, document.fields)),
      )
      for (const text of [...words, ...madeParts]) {
        const query = { scope: 'p', where: [{ op: 'contains', in: ['key'], text }], limit: 100 } as const
        const expected = referenceList(documents, query)
        const page = await account.list({ ...query, collection: 'things', select: 'fields' })
        assert.deepEqual(
          page.items.map(({ key }) => key),
          expected.items.map(({ key }) => key),
          text,
        )
      }
    },
  },
}

function randomDocument(random: SeededRandom, i: number): ReferenceDocument {
  const fields: Record<string, FieldValue> = {}
  if (random.below(4) > 0) fields.name = random.oneOf<FieldValue>([...words, null])
  if (random.below(4) > 0) fields.n = random.oneOf<FieldValue>([...numbers, null, '1'])
  if (random.below(2) > 0) fields.on = random.oneOf<FieldValue>([true, false, null, 'true'])
  if (random.below(3) > 0) fields.tags = Array.from({ length: random.below(3) }, () => random.oneOf(words))
  return { scope: random.oneOf(scopes), key: randomKey(random, i), fields: fields as Fields }
}

/** Returns a key that users choose, an id of 24 hexadecimal characters, or a UUID. */
function randomKey(random: SeededRandom, i: number): string {
  const digits = String(i).padStart(12, '0')
  const kinds = [`${random.oneOf(words)}${i % 20}-${i}`, `6a1b2c3d4e5f${digits}`, `6a1b2c3d-4e5f-8abc-9def-${digits}`]
  return random.oneOf(kinds)
}

const orderTypes: Readonly<Record<string, Order['type']>> = { n: 'number', on: 'boolean', tags: 'texts' }

function randomQuery(random: SeededRandom): Omit<ListQuery, 'collection' | 'select'> {
  const order = Array.from({ length: random.below(3) }, () => ({
    field: random.oneOf(fieldNames),
    descending: random.below(2) === 0,
    ignoreCase: random.below(2) === 0,
  }))
  return {
    scope: random.oneOf(scopes),
    deep: random.below(3) > 0,
    where: Array.from({ length: random.below(3) }, () => randomCondition(random, 3)),
    order: order.map((criterion) => ({ ...criterion, type: orderTypes[criterion.field] ?? 'text' })),
    limit: random.oneOf([0, 1, 5, 100]),
    offset: random.oneOf([undefined, 0, 1, 7]),
    count: random.below(2) === 0,
  }
}

/** Returns a condition that a field has one of several values. Some documents have some of these values. */
function randomEquality(random: SeededRandom, keys: readonly string[]): Condition {
  const field = random.oneOf(fieldNames)
  const value = () => {
    if (field === 'key') return random.oneOf(keys)
    return random.below(4) === 0 ? random.oneOf(numbers) : random.oneOf(words)
  }
  if (random.below(2) === 0) return { op: 'equals', field, value: value() }
  return { op: 'anyOf', field, values: Array.from({ length: random.below(3) }, value) }
}

function randomCondition(random: SeededRandom, depth: number): Condition {
  const field = random.oneOf(fieldNames)
  const parts = () => Array.from({ length: random.below(4) }, () => randomCondition(random, depth - 1))
  switch (random.below(depth > 0 ? 8 : 5)) {
    case 0:
      return {
        op: 'equals',
        field,
        value: random.oneOf<string | number | boolean>([...words, ...numbers, true, false]),
      }
    case 1:
      return {
        op: 'anyOf',
        field,
        values: Array.from({ length: random.below(4) }, () => random.oneOf([...words, ...numbers])),
      }
    case 2:
      return { op: 'contains', in: [field, random.oneOf(fieldNames)], text: random.oneOf(words) }
    case 3:
      return { op: 'exists', field, value: random.below(2) === 0 }
    case 4:
      return {
        op: 'range',
        field,
        from: random.oneOf([undefined, ...numbers]),
        to: random.oneOf([undefined, ...numbers]),
      }
    case 5:
      return { op: 'and', all: parts() }
    case 6:
      return { op: 'or', any: parts() }
    default:
      return { op: 'not', condition: randomCondition(random, depth - 1) }
  }
}
