import { describe, expect, it } from 'vitest'
import { openReceiver } from './test/receiver.ts'
import {
  allow,
  bodies,
  deliveredNames,
  engineWithSender,
  patch,
  rename,
  replaceOperation,
  webhookTo,
} from './test/webhook-calls.ts'

describe('the statements of a webhook', () => {
  it('select by resource and action', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    await webhookTo(engine, receiver, { statements: allow('proj/web', ['updateProjectName']) })
    for (const key of ['web', 'app']) await engine.given.project(key)
    for (const key of ['web', 'app']) await rename(engine, key, `new ${key}`)
    await engine.api.patchProject({ projectKey: 'web', body: replaceOperation('/tags', ['x']) }, { as: engine.admin })
    await engine.runDueTasks()
    expect(bodies(receiver).map(({ accesses }) => accesses)).toEqual([
      [{ action: 'updateProjectName', resource: 'proj/web' }],
    ])
  })

  it('apply in their state at the time of the change', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    const id = await webhookTo(engine, receiver, { statements: allow('proj/web') })
    await engine.given.project('web')
    await patch(engine, id, '/statements', allow('proj/app'))
    await engine.given.project('app')
    await rename(engine, 'web', 'no longer')
    await engine.runDueTasks()
    // Two projects have two ordering keys, which are delivered concurrently.
    expect(deliveredNames(receiver).sort()).toEqual(['app', 'web'])
  })

  it('that deny take precedence over statements that allow', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    const statements = [...allow('proj/*'), { effect: 'deny', resources: ['proj/secret'], actions: ['*'] }]
    await webhookTo(engine, receiver, { statements })
    for (const key of ['secret', 'web']) await engine.given.project(key)
    await engine.runDueTasks()
    expect(deliveredNames(receiver)).toEqual(['web'])
  })

  it('match tags before and after the change', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    await webhookTo(engine, receiver, { statements: allow('proj/*;watched') })
    const tag = (tags: string[]) =>
      engine.api.patchProject({ projectKey: 'web', body: replaceOperation('/tags', tags) }, { as: engine.admin })
    await engine.given.project('web')
    await tag(['watched'])
    await rename(engine, 'web', 'tagged')
    await tag([])
    await rename(engine, 'web', 'untagged')
    await engine.runDueTasks()
    expect(bodies(receiver).map(({ accesses }) => accesses[0].action)).toEqual([
      'updateTags',
      'updateProjectName',
      'updateTags',
    ])
  })

  it('match properties and tags of parent levels', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    await webhookTo(engine, receiver, { statements: allow('proj/*;watched:env/*:flag/*') })
    await engine.given.project('web', { tags: ['watched'] })
    await engine.given.project('app')
    for (const key of ['web', 'app']) await engine.given.flag(key, `flag-of-${key}`)
    await engine.runDueTasks()
    expect(deliveredNames(receiver)).toEqual(['flag-of-web'])
  })
})
