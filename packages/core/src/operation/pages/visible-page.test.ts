import { createTestEngine } from '@halyard/testing'
import { expect, it } from 'vitest'

it.each(['proj/secret', 'proj/s*', 'proj/*;hidden', 'proj/secret;hidden'])(
  'a list contains and counts nothing that a statement about %s denies',
  async (resource) => {
    await using engine = await createTestEngine()
    const as = engine.admin
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    await engine.api.createProject({ body: { key: 'secret', name: 'Secret', tags: ['hidden'] } }, { as })
    const policy = [
      { effect: 'allow', resources: ['proj/*'], actions: ['*'] },
      { effect: 'deny', resources: [resource], actions: ['viewProject'] },
    ] as const
    const { items, totalCount } = await engine.api.listProjects({}, { as: { policy } })
    expect([items.map(({ key }) => key), totalCount]).toEqual([['web'], 1])
  },
)
