import { createEngine } from '@halyard/core'
import { expect, it } from 'vitest'
import { everyStorage } from './setup/every-storage.ts'

const as = { role: 'owner' } as const
const parameters = { projectKey: 'web' }
const checkout = { ...parameters, flagKey: 'checkout' }
const storages = Object.entries(everyStorage())

it.each(storages)('a list writes one document several times, in the order of its changes, on %s', async (_, open) => {
  await using engine = createEngine({ storage: await open() })
  const api = engine.as(as)
  await api.createProject({ body: { key: 'web', name: 'Web' } })
  await api.createFlag({ ...parameters, body: { key: 'checkout', name: 'Checkout' } })
  const create = { operation: 'createFlag', parameters, body: { key: 'checkout', name: 'Again' } }
  const remove = { operation: 'deleteFlag', parameters: checkout }
  const rename = (value: string) => ({
    operation: 'patchFlag',
    parameters: checkout,
    body: [{ op: 'replace', path: '/name', value }],
  })
  const turnOn = {
    operation: 'patchFlag',
    parameters: checkout,
    body: { environmentKey: 'test', instructions: [{ kind: 'turnFlagOn' }] },
  }
  const changes = [rename('First'), turnOn, remove, create, rename('Second'), turnOn]
  const { items } = await api.applyChanges({ body: { changes } })
  expect(await api.getFlag(checkout)).toMatchObject({ name: 'Second', environments: { test: { on: true } } })
  const { items: entries } = await api.listChangeLog({ limit: items.length })
  expect(entries.map(({ _id }) => _id)).toEqual(items.map(({ entryId }) => entryId).reverse())
  await expect(api.applyChanges({ body: { changes: [rename('Third'), create] } })).rejects.toThrow(
    'changes.1 (createFlag)',
  )
  expect(await api.getFlag(checkout)).toMatchObject({ name: 'Second' })
})
