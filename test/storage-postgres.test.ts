import { storageConformance } from '@halyard/conformance'
import { type Change, compareCodePoints } from '@halyard/core/storage'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { at } from './setup/postgres-records.ts'
import { postgresStorages } from './setup/postgres-storages.ts'
import { selectCases } from './setup/runs-all-cases.ts'

const storages = postgresStorages()
afterAll(() => storages.dispose())

describe('storage on Postgres', () => {
  for (const { group, name, run } of selectCases(storageConformance(storages))) it(`${group}: ${name}`, run, 60_000)
})

describe('text that Postgres cannot store as text', () => {
  it('is stored, found and ordered like any other', async () => {
    const account = (await storages.open()).account('acme')
    const unit = fc.oneof(
      fc.constantFrom('\u0000', '\u0001', 'a'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    )
    const names = fc.uniqueArray(fc.string({ unit, minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 8 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(names, async (keys) => {
        const scope = `run/${++run}`
        const sorted = [...keys].sort(compareCodePoints)
        const documents = keys.map(
          (key): Change => ({ do: 'insert', id: at(key, scope), body: { key }, fields: { key, list: [key] } }),
        )
        await account.commit([...documents, { do: 'add-keys', set: { name: 'set', scope }, keys }])
        const order = [{ field: 'key', type: 'text' }] as const
        const { items } = await account.list({ collection: 'flags', scope, limit: 10, order, select: 'bodies' })
        expect(items.map(({ key, fields, body }) => ({ key, fields, body }))).toEqual(
          sorted.map((key) => ({ key, fields: { key, list: [key] }, body: { key } })),
        )
        expect(await account.pageKeys({ name: 'set', scope }, { limit: 10 })).toEqual(sorted)
        const [firstKey] = keys as [string]
        const conditions = [{ op: 'equals', field: 'list', value: firstKey }] as const
        const page = await account.list({ collection: 'flags', scope, limit: 10, where: conditions, select: 'fields' })
        expect(page.items.map(({ key }) => key)).toEqual([firstKey])
      }),
      { numRuns: 40 },
    )
  })
})
