import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { flagStatuses } from '../../../rules/flag-status/flag-status.ts'
import { engineRequest } from '../../account/test/calls.ts'
import { editor, flagProject } from '../test/flag-project.ts'

const day = 24 * 60 * 60 * 1000

/** Creates flags that have different statuses in production, in the days before the present. */
async function projectWithStatuses() {
  const project = await flagProject()
  const { api, as, engine, create, instruct, pass } = project
  let now = 0
  const wait = (ms: number) => {
    now = pass(ms)
  }
  const keysWith = async (filter: string, caller: As = as) => {
    const { items, totalCount } = await api.listFlags(
      { projectKey: 'web', filter, sort: 'key', limit: 100 },
      { as: caller },
    )
    expect(totalCount).toBe(items.length)
    return items.map(({ key }) => key)
  }
  return {
    ...project,
    wait,
    keysWith,
    withStatus: (status: string, caller?: As) => keysWith(`status:${status},filterEnv:production`, caller),
    /** Returns the keys of the flags by their status, as another operation lists them. */
    async listed() {
      const { items } = await api.listFlagStatuses(
        { projectKey: 'web', environmentKey: 'production', limit: 100 },
        { as },
      )
      return Object.fromEntries(
        flagStatuses.map((status) => [
          status,
          items.filter(({ name }) => name === status).map(({ _links }) => _links.parent?.href.split('/').at(-1)),
        ]),
      )
    },
    async evaluate(...flagKeys: string[]) {
      const { apiKey } = await api.getEnvironment({ projectKey: 'web', environmentKey: 'production' }, { as })
      const counted = { counters: [{ version: 1, count: 1, variation: 0 }] }
      const features = Object.fromEntries(flagKeys.map((key) => [key, counted]))
      const headers = { authorization: apiKey, 'content-type': 'application/json' }
      await engine.sdk.handle(engineRequest('POST', '/bulk', [{ kind: 'summary', endDate: now, features }], headers))
      await engine.sdk.flush()
    },
    async createAll() {
      for (const key of ['on', 'split', 'off', 'untouched', 'expiring']) await create(key)
      wait(day)
      for (const key of ['on', 'split', 'expiring']) await instruct(key, [{ kind: 'turnFlagOn' }])
      await instruct('off', [{ kind: 'turnFlagOn' }])
      await instruct('off', [{ kind: 'turnFlagOff' }])
      const { variations } = await project.get('split')
      const target = (value: string) => [{ kind: 'addTargets', values: [value], variationId: variations[1]?._id }]
      await instruct('split', target('u'))
      const other = (await project.get('expiring')).variations[1]?._id
      await instruct('expiring', [{ kind: 'addTargets', contextKind: 'org', values: ['o'], variationId: other }])
      const expiry = {
        kind: 'addExpiringTarget',
        contextKind: 'org',
        contextKey: 'o',
        variationId: other,
        value: now + day,
      }
      await api.patchExpiringTargets(
        {
          projectKey: 'web',
          environmentKey: 'production',
          flagKey: 'expiring',
          body: { instructions: [expiry] } as never,
        },
        { as },
      )
      wait(8 * day)
      await create('young')
    },
  }
}

describe('the filter status of listFlags', () => {
  it('finds the flags that listFlagStatuses lists with the status, before and after evaluations are counted', async () => {
    const { createAll, listed, withStatus, evaluate, wait } = await projectWithStatuses()
    await createAll()
    const filtered = async () =>
      Object.fromEntries(
        await Promise.all(flagStatuses.map(async (status) => [status, await withStatus(status)] as const)),
      )
    const uncounted = await listed()
    expect(uncounted).toEqual({
      new: ['young'],
      active: ['split'],
      launched: ['expiring', 'on'],
      inactive: ['off', 'untouched'],
    })
    expect(await filtered()).toEqual(uncounted)
    await evaluate('on', 'split', 'untouched')
    wait(6 * day)
    await evaluate('on', 'young')
    wait(day)
    const counted = await listed()
    expect(counted).toEqual({
      new: [],
      active: ['young'],
      launched: ['on'],
      inactive: ['expiring', 'off', 'split', 'untouched'],
    })
    expect(await filtered()).toEqual(counted)
  })

  it('finds a flag as active for seven days after the expiry of a target, as a change of what it serves', async () => {
    const { createAll, listed, withStatus, wait } = await projectWithStatuses()
    await createAll()
    // The target has expired seven days ago: the status changes in a moment.
    expect(await withStatus('launched')).toContain('expiring')
    wait(-1)
    expect((await listed()).active).toContain('expiring')
    expect(await withStatus('active')).toContain('expiring')
    expect(await withStatus('launched')).not.toContain('expiring')
  })

  it('finds flags with any of several statuses in any of several environments', async () => {
    const { createAll, withStatus, keysWith } = await projectWithStatuses()
    await createAll()
    expect(await withStatus('new+active')).toEqual(['split', 'young'])
    expect(await withStatus('launched+inactive')).toEqual(['expiring', 'off', 'on', 'untouched'])
    expect(await keysWith('status:launched,filterEnv:test')).toEqual([])
    expect(await keysWith('status:launched,filterEnv:test+production')).toEqual(['expiring', 'on'])
    expect(await keysWith('status:inactive,filterEnv:none')).toEqual([])
    expect(await keysWith('status:launched,query:on,filterEnv:production')).toEqual(['on'])
  })

  it('finds no flag whose status the caller may not view, also among the inactive ones', async () => {
    const { createAll, withStatus, patch } = await projectWithStatuses()
    await createAll()
    for (const key of ['on', 'off']) await patch(key, [{ op: 'replace', path: '/tags', value: ['seen'] }])
    const caller = editor(['viewFlagStatus'], 'proj/web:env/production:flag/*;seen')
    expect(await withStatus('launched', caller)).toEqual(['on'])
    expect(await withStatus('inactive', caller)).toEqual(['off'])
    expect(await withStatus('inactive', editor(['viewFlagStatus'], 'proj/web:env/test:flag/*'))).toEqual([])
  })
})
