import * as v from 'valibot'
import { expect, it } from 'vitest'
import * as operations from './generated/selectable-operations.ts'
import { flagProject } from './resources/flags/test/flag-project.ts'

/** Every operation whose `sort` can be `name`, with the schema of `sort`. */
const sortedByName = Object.values(operations).flatMap((operation) => {
  const entries = (operation as { query?: { entries?: Record<string, v.GenericSchema> } }).query?.entries
  const sort = entries?.sort
  return sort && v.is(sort, 'name') ? [[(operation as { id: string }).id, sort] as const] : []
})

it('more than four list operations sort by name', () => {
  expect(sortedByName.length).toBeGreaterThan(4)
})

it.each(sortedByName)('%s sorts by name without regard to case, in both directions', (_, sort) => {
  // Some lists sort by several fields.
  for (const order of ['name', '-name'])
    expect([v.parse(sort, order)].flat()).toMatchObject([{ field: 'name', ignoreCase: true }])
})

it('a list by name mixes upper-case and lower-case names', async () => {
  const { api, as, create } = await flagProject()
  for (const [key, name] of [
    ['a', 'beta'],
    ['b', 'Gamma'],
    ['c', 'Alpha'],
    ['d', 'alphabet'],
  ] as const)
    await create(key, { name })
  const keys = async (sort: 'name' | '-name') =>
    (await api.listFlags({ projectKey: 'web', sort }, { as })).items.map(({ key }) => key).join(' ')
  expect(await keys('name')).toBe('c d a b')
  expect(await keys('-name')).toBe('b a d c')
})
