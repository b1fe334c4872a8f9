import { describe, expect, it } from 'vitest'
import { createEngine, type LogEntry } from '../../index.ts'
import { laggingStorage } from '../../storage/test/lagging-storage.ts'
import { flagProject, start } from '../flags/test/flag-project.ts'

const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
const ann = { kind: 'user', key: 'ann' }
const turnOn = [{ kind: 'turnFlagOn' }]

/**
 * Creates the flags `f` and `g` in the project `web`, and returns the evaluator of production with its change
 * notifications.
 */
async function listeningEvaluator() {
  const project = await flagProject()
  const [flag] = [await project.create('f'), await project.create('g')]
  const evaluator = project.engine.evaluator(environmentKeys)
  await evaluator.ready()
  const notifications: (readonly string[])[] = []
  const end = evaluator.onChange((flagKeys) => notifications.push(flagKeys))
  return { ...project, evaluator, told: notifications, end, yes: flag.variations[0]?._id as string }
}

describe('a change listener of an evaluator', () => {
  it('receives flags that were changed, created and removed, after the change applies', async () => {
    const { api, as, create, instruct, keysOf, evaluator, told: notifications } = await listeningEvaluator()
    const values: unknown[] = []
    evaluator.onChange(() => values.push(evaluator.evaluate('f', ann, false).value))
    await instruct('f', turnOn)
    expect([notifications, values]).toEqual([[['f']], [true]])
    await create('h')
    await api.deleteFlag(keysOf('h'), { as })
    await instruct('g', [{ kind: 'archiveFlag' }])
    expect(notifications).toEqual([['f'], ['h'], ['h'], ['g']])
  })

  it('is not notified of changes of other environments, or of changes that affect no flag', async () => {
    const { instruct, patch, segment, told: notifications } = await listeningEvaluator()
    await instruct('f', turnOn, { environmentKey: 'test' })
    await segment('unused')
    await patch('f', [{ op: 'replace', path: '/name', value: 'Another' }])
    expect(notifications).toEqual([])
    await instruct('f', turnOn)
    expect(notifications).toEqual([['f']])
  })

  it('receives flags that depend on a changed segment or flag', async () => {
    const { api, as, instruct, segment, told: notifications, yes } = await listeningEvaluator()
    await segment('beta')
    const clauses = [{ contextKind: 'user', attribute: '', op: 'segmentMatch', values: ['beta'], negate: false }]
    await instruct('f', [{ kind: 'addRule', clauses, variationId: yes }])
    const { variations } = await api.getFlag({ projectKey: 'web', flagKey: 'f' }, { as })
    await instruct('g', [{ kind: 'addPrerequisite', key: 'f', variationId: variations[0]?._id }])
    notifications.length = 0
    const body = [{ op: 'add', path: '/included/-', value: 'ann' }]
    await api.patchSegment({ ...environmentKeys, segmentKey: 'beta', body: body as never }, { as })
    expect(notifications).toEqual([['f', 'g']])
  })

  it('receives a flag with an expired target at the first evaluation after the expiry date', async () => {
    const { api, as, instruct, keysOf, evaluator, told: notifications, yes, pass } = await listeningEvaluator()
    await instruct('f', [{ kind: 'turnFlagOn' }, { kind: 'addTargets', values: ['ann'], variationId: yes }])
    const target = { contextKind: 'user', contextKey: 'ann', value: start + 1_000, variationId: yes }
    const body = { instructions: [{ kind: 'addExpiringTarget', ...target }] } as never
    await api.patchExpiringTargets({ ...keysOf('f'), environmentKey: 'production', body }, { as })
    notifications.length = 0
    pass(1_000)
    expect(notifications).toEqual([])
    evaluator.evaluate('g', ann, false)
    expect(notifications).toEqual([['f']])
  })

  it('receives the differences after a restored snapshot was read', async () => {
    const { engine, instruct, storage, evaluator, told: notifications } = await listeningEvaluator()
    const snapshot = storage.snapshot()
    await instruct('f', turnOn)
    storage.restore(snapshot)
    engine.clearCaches()
    await evaluator.ready()
    expect(notifications).toEqual([['f'], ['f']])
  })

  it('receives nothing after it was removed', async () => {
    const { instruct, told: notifications, end } = await listeningEvaluator()
    end()
    end()
    await instruct('f', turnOn)
    expect(notifications).toEqual([])
  })

  it('does not affect other listeners by throwing, and its error is logged', async () => {
    const logged: LogEntry[] = []
    const { storage, api, as } = await flagProject()
    await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'f' } }, { as })
    const engine = createEngine({ storage, log: (entry) => logged.push(entry) })
    const evaluator = engine.evaluator(environmentKeys)
    await evaluator.ready()
    const notifications: unknown[] = []
    const failure = new Error('error of a listener')
    evaluator.onChange(() => {
      throw failure
    })
    evaluator.onChange((flagKeys) => notifications.push(flagKeys))
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'g', name: 'g' } }, { as })
    expect(notifications).toEqual([['g']])
    expect(logged.filter(({ level }) => level === 'error')).toMatchObject([
      { event: 'listener-failed', error: failure },
    ])
  })
})

it('evaluator.current is true only if all known changes apply', async () => {
  const { storage } = await flagProject()
  const lagging = laggingStorage(storage)
  const evaluator = createEngine({ storage: lagging }).evaluator(environmentKeys)
  expect(evaluator.current).toBe(false)
  const reading = evaluator.ready()
  expect(evaluator.current).toBe(false)
  await reading
  expect(evaluator.current).toBe(true)
  lagging.connected = false
  expect(evaluator.current).toBe(false)
})

it('evaluator.describe returns the names and custom properties of a flag', async () => {
  const { create, evaluator, instruct } = await listeningEvaluator()
  const customProperties = { team: { name: 'Team', value: ['growth'] } }
  await create('named', { variations: [{ value: 1, name: 'one' }, { value: 2 }], customProperties })
  expect(evaluator.describe('named')).toEqual({
    data: evaluator.ruleset?.flags.get('named')?.data,
    variationNames: ['one', undefined],
    customProperties,
  })
  expect(evaluator.describe('named')?.data).toMatchObject({ key: 'named', variations: [1, 2] })
  expect(evaluator.describe('f')).toMatchObject({ variationNames: [], customProperties: {} })
  expect(evaluator.describe('none')).toBeUndefined()
  await instruct('named', [{ kind: 'archiveFlag' }])
  expect(evaluator.describe('named')).toBeUndefined()
})
