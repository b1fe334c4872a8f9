import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import { documents, type Versioned } from './collection.ts'
import { UnitOfWork } from './unit-of-work.ts'

interface Leaf extends Versioned {
  readonly name: string
}

const leaves = documents<Leaf>()({
  name: 'leaf',
  address: 'proj/{projectKey}:tree/{treeKey}:branch/{branchKey}:leaf/{leafKey}',
  fields: ({ name }) => ({ name }),
})

/** Creates leaves with keys of one letter per level: project, tree, branch and leaf. */
async function withLeaves(...names: string[]) {
  const account = createMemoryStorage().account('a')
  const unit = new UnitOfWork(account)
  for (const name of names) {
    const [projectKey = '', treeKey = '', branchKey = '', leafKey = ''] = name
    unit.insert(leaves, { projectKey, treeKey, branchKey, leafKey }, { name })
  }
  await unit.commit()
  return new UnitOfWork(account)
}

it('a deep list includes the scopes under an outer one', async () => {
  const tx = await withLeaves('pabx', 'paby', 'pacx', 'pdbx', 'qabx')
  const namesIn = async (scope: object) =>
    (await tx.list(leaves, scope, { deep: true, limit: 10 })).items.map(({ name }) => name).sort()
  expect(await namesIn({ projectKey: 'p', treeKey: 'a', branchKey: 'b' })).toEqual(['pabx', 'paby'])
  expect(await namesIn({ projectKey: 'p', treeKey: 'a' })).toEqual(['pabx', 'paby', 'pacx'])
  expect(await namesIn({ projectKey: 'p' })).toEqual(['pabx', 'paby', 'pacx', 'pdbx'])
  expect(await namesIn({})).toEqual(['pabx', 'paby', 'pacx', 'pdbx', 'qabx'])
})

it('a deep list of rows returns the scope of each row, and applies its conditions', async () => {
  const tx = await withLeaves('pabx', 'pacx', 'pacy')
  const where = [{ op: 'equals', field: 'key', value: 'x' }] as const
  const { items, total } = await tx.listRows(leaves, { projectKey: 'p' }, { deep: true, where, limit: 1, offset: 1 })
  expect(items).toMatchObject([{ key: 'x', scope: 'proj/p:tree/a:branch/c', fields: { name: 'pacx' } }])
  expect(total).toBe(2)
})
