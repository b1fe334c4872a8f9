import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import { createEngine } from '../../index.ts'

const as = { role: 'owner' } as const
const web = { projectKey: 'web' }

it('the manifest has each flag that is not archived, with its type and its value while it is off', async () => {
  const api = createEngine({ storage: createMemoryStorage() }).as(as)
  await api.createProject({ body: { key: 'web', name: 'Web' } })
  const create = (key: string, values?: readonly unknown[], description?: string) =>
    api.createFlag({
      ...web,
      body: {
        key,
        name: `The flag ${key}`,
        ...(description && { description }),
        ...(values && {
          variations: values.map((value) => ({ value })),
          defaults: { onVariation: 0, offVariation: 1 },
        }),
      } as never,
    })
  await create('boolean', undefined, 'For everyone.')
  await create('string', ['red', 'blue'])
  await create('integer', [10, 20, 30])
  await create('float', [0.5, 2])
  await create('object', [{ size: 1 }, { size: 2 }])
  await create('json', [{ size: 1 }, [7]])
  await create('archived')
  const archive = { instructions: [{ kind: 'archiveFlag' }] }
  await api.patchFlag({ ...web, flagKey: 'archived', body: archive as never })
  const { flags } = await api.getFlagManifest(web)
  const expected = [
    { key: 'boolean', type: 'boolean', description: 'For everyone.', defaultValue: false },
    { key: 'float', type: 'float', defaultValue: 2 },
    { key: 'integer', type: 'integer', defaultValue: 20 },
    { key: 'json', type: 'object', defaultValue: [7] },
    { key: 'object', type: 'object', defaultValue: { size: 2 } },
    { key: 'string', type: 'string', defaultValue: 'blue' },
  ]
  expect(flags).toEqual(expected.map((flag) => ({ ...flag, name: `The flag ${flag.key}` })))
})
