import { describe, expect, it } from 'vitest'
import { type As, createEngine } from '../../index.ts'
import { engineRequest } from '../account/test/calls.ts'
import { editor, flagProject, start } from './test/flag-project.ts'

const day = 24 * 60 * 60 * 1000

/** Creates the flags `a`, `b` and `c`, and functions that report evaluations and list flags. */
async function evaluatedProject() {
  const project = await flagProject()
  const { api, as, engine, create, pass } = project
  for (const key of ['a', 'b', 'c']) await create(key)
  let now = start
  return {
    ...project,
    wait(ms: number) {
      now = pass(ms)
    },
    /** Reports a summary with kinds of contexts by flag. */
    async report(features: Readonly<Record<string, unknown>>, environmentKey = 'production', others: object[] = []) {
      const { apiKey } = await api.getEnvironment({ projectKey: 'web', environmentKey }, { as })
      const counters = [{ version: 1, count: 1, variation: 0 }]
      const counted = Object.entries(features).map(([key, contextKinds]) => [key, { counters, contextKinds }])
      const summary = { kind: 'summary', endDate: now, features: Object.fromEntries(counted) }
      const headers = { authorization: apiKey, 'content-type': 'application/json' }
      await engine.sdk.handle(engineRequest('POST', '/bulk', [summary, ...others], headers))
      await engine.sdk.flush()
    },
    keysWith: async (filter: string, caller: As = as) =>
      (await api.listFlags({ projectKey: 'web', filter, sort: 'key' }, { as: caller })).items.map(({ key }) => key),
  }
}

describe('the filter contextKindsEvaluated of listFlags', () => {
  it('finds the flags that SDKs evaluated for contexts of all requested kinds, in any environment or in one', async () => {
    const { report, keysWith } = await evaluatedProject()
    await report({ a: ['user'], b: ['user', 'device'] })
    await report({ a: ['device'], c: ['org'] }, 'test')
    // The same time as that of the first report.
    await report({ b: ['team'] })
    expect(await keysWith('contextKindsEvaluated:team+user')).toEqual(['b'])
    expect(await keysWith('contextKindsEvaluated:user')).toEqual(['a', 'b'])
    expect(await keysWith('contextKindsEvaluated:user+device')).toEqual(['a', 'b'])
    expect(await keysWith('contextKindsEvaluated:user+device,filterEnv:production')).toEqual(['b'])
    expect(await keysWith('contextKindsEvaluated:org,filterEnv:test+production')).toEqual(['c'])
    expect(await keysWith('contextKindsEvaluated:none')).toEqual([])
  })

  it('counts an evaluation for 30 days, separately for each kind', async () => {
    const { report, keysWith, wait } = await evaluatedProject()
    await report({ a: ['user', 'device'] })
    wait(20 * day)
    await report({ a: ['user'] })
    wait(10 * day)
    expect(await keysWith('contextKindsEvaluated:device')).toEqual(['a'])
    wait(1)
    expect(await keysWith('contextKindsEvaluated:device')).toEqual([])
    expect(await keysWith('contextKindsEvaluated:user')).toEqual(['a'])
    wait(20 * day)
    expect(await keysWith('contextKindsEvaluated:user')).toEqual([])
  })

  it('finds flags by feature events too, and ignores invalid context kinds', async () => {
    const { report, keysWith } = await evaluatedProject()
    const feature = { kind: 'feature', key: 'b', version: 1, creationDate: start, contextKeys: { org: 'o' } }
    await report({ a: ['user', 7, 'x y', 'x'.repeat(65)], c: 'user' }, 'production', [feature])
    expect(await keysWith('contextKindsEvaluated:user')).toEqual(['a'])
    expect(await keysWith('contextKindsEvaluated:org')).toEqual(['b'])
    expect(await keysWith('contextKindsEvaluated:"x y"')).toEqual([])
    expect(await keysWith(`contextKindsEvaluated:${'x'.repeat(65)}`)).toEqual([])
  })

  it('finds no flag whose status the caller may not view', async () => {
    const { report, keysWith } = await evaluatedProject()
    await report({ a: ['user'], b: ['user'] })
    await report({ b: ['user'] }, 'test')
    const caller = editor(['viewFlagStatus'], 'proj/web:env/test:flag/*')
    expect(await keysWith('contextKindsEvaluated:user', caller)).toEqual(['b'])
  })

  it('finds flags that this process evaluated, and their prerequisites', async () => {
    const { storage, instruct, get, keysWith } = await evaluatedProject()
    for (const key of ['a', 'b', 'c']) await instruct(key, [{ kind: 'turnFlagOn' }])
    const [variation] = (await get('b')).variations
    await instruct('a', [{ kind: 'addPrerequisite', key: 'b', variationId: variation?._id }])
    const engine = createEngine({ storage, clock: () => start, countEvaluations: true, webhooks: false })
    const evaluator = engine.evaluator({ projectKey: 'web', environmentKey: 'production' })
    await evaluator.ready()
    evaluator.evaluate('a', { kind: 'multi', user: { key: 'u' }, device: { key: 'd' } }, false)
    evaluator.evaluate('b', { kind: 'org', key: 'o' }, false)
    evaluator.evaluate('c', { key: 'u' }, false)
    await engine.sdk.flush()
    expect(await keysWith('contextKindsEvaluated:user')).toEqual(['a', 'b', 'c'])
    expect(await keysWith('contextKindsEvaluated:device+user')).toEqual(['a', 'b'])
    expect(await keysWith('contextKindsEvaluated:org')).toEqual(['b'])
    await engine.close()
  })
})
