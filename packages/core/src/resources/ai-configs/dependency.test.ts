import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { type AIConfig, aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { UnitOfWork } from '../../storage/unit-of-work.ts'
import { addDependency, removeDependency } from './dependency.ts'

const keys = { projectKey: 'web', configKey: 'chat' }
const graph = { type: 'agent-graph', key: 'support' } as const

it('an AI config lists the resources that use it', async () => {
  const storage = createMemoryStorage()
  const { api, bootstrap } = createEngine({ storage })
  const as = (await bootstrap())?.token as string
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await api.createAIConfig({ projectKey: 'web', body: { key: 'chat', name: 'Chat' } }, { as })
  const change = async (update: typeof addDependency, dependency: Parameters<typeof addDependency>[3]) => {
    const unit = new UnitOfWork(storage.account('default'))
    update(unit, keys, (await unit.get(aiConfigs, keys)) as AIConfig, dependency)
    await unit.commit()
    return (await api.getAIConfig(keys, { as })).dependencies
  }
  expect(await change(addDependency, graph)).toEqual([graph])
  expect(await change(addDependency, graph)).toEqual([graph])
  expect(await change(addDependency, { ...graph, key: 'sales' })).toEqual([graph, { ...graph, key: 'sales' }])
  expect(await change(removeDependency, { ...graph, key: 'sales' })).toEqual([graph])
  expect(await change(removeDependency, graph)).toEqual([])
})
