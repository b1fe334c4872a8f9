import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../../entries/storage.ts'
import { createEngine } from '../../index.ts'

const as = { role: 'owner' } as const
const hour = 3_600_000

/** Creates the flag Checkout in the project Web with the environments Production and Test. */
async function shop(storage: Storage = createMemoryStorage()) {
  let now = Date.UTC(2026, 0, 31, 12)
  const engine = createEngine({ storage, clock: () => now++ })
  const { api } = engine
  const keys = { projectKey: 'web', flagKey: 'checkout' }
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  const instruct = (...instructions: object[]) =>
    api.patchFlag({ ...keys, body: { environmentKey: 'production', instructions } as never }, { as })
  const newest = async () => {
    const [entry] = (await api.listChangeLog({ limit: 1 }, { as })).items
    if (!entry) throw new Error('there is no entry')
    return entry
  }
  return { engine, api, keys, instruct, newest, pass: (ms: number) => (now += ms) }
}

/** Returns a memory storage that records which documents are read one by one. */
function recordingStorage() {
  const storage = createMemoryStorage()
  const read: string[] = []
  const recorded: Storage = {
    ...storage,
    account(id) {
      const account = storage.account(id)
      return new Proxy(account, {
        get(target, name) {
          const value = Reflect.get(target, name) as unknown
          if (typeof value !== 'function') return value
          return (...input: unknown[]) => {
            if (name === 'get') read.push((input[0] as { collection: string }).collection)
            if (name === 'getMany') read.push(...(input[0] as { collection: string }[]).map((each) => each.collection))
            return Reflect.apply(value, target, input) as unknown
          }
        },
      })
    },
  }
  return { storage: recorded, read }
}

describe('the sentences of an entry', () => {
  it('name the flag and its environments without an additional storage request', async () => {
    const { storage, read } = recordingStorage()
    const { instruct, newest } = await shop(storage)
    read.length = 0
    await instruct({ kind: 'turnFlagOn' })
    expect(read).not.toContain('environment')
    expect((await newest()).titleVerb).toBe('turned on Checkout in Production')
  })

  it('state that a scheduled change was applied, and describe the change', async () => {
    const { engine, api, keys, newest, pass } = await shop()
    const body = { executionDate: Date.UTC(2026, 0, 31, 13), instructions: [{ kind: 'turnFlagOn' }] }
    await api.createScheduledChange({ ...keys, environmentKey: 'production', body: body as never }, { as })
    expect((await newest()).titleVerb).toBe('scheduled a change of Checkout in Production for 2026-01-31 13:00 UTC')
    pass(2 * hour)
    await engine.runDueTasks()
    expect((await newest()).titleVerb).toBe(
      'applied the scheduled change of Checkout in Production: turned on Checkout in Production',
    )
  })

  it('name the two environments of a copied configuration', async () => {
    const { api, keys, instruct, newest } = await shop()
    await instruct({ kind: 'turnFlagOn' })
    await api.copyFlag({ ...keys, body: { source: { key: 'production' }, target: { key: 'test' } } }, { as })
    expect((await newest()).titleVerb).toBe('copied Checkout from Production to its configuration in Test')
  })

  it('shorten names so that a line never exceeds its maximum length', async () => {
    const { api, keys, newest } = await shop()
    const value = 'long '.repeat(51).trim()
    await api.patchFlag({ ...keys, body: [{ op: 'replace', path: '/name', value }] }, { as })
    await api.patchFlag({ ...keys, body: [{ op: 'replace', path: '/name', value: `${value}!` }] }, { as })
    const { titleVerb } = await newest()
    expect(titleVerb).toMatch(/^renamed long .*… to long .*…$/)
    expect([...titleVerb].length).toBeLessThanOrEqual(250)
  })
})

describe('the delta of an entry', () => {
  it('shows only the changed property when a configuration is stored for the first time', async () => {
    const { instruct, newest } = await shop()
    await instruct({ kind: 'turnFlagOn' })
    expect((await newest()).delta).toEqual([
      {
        resource: 'proj/web:env/production:flag/checkout',
        kind: 'flag-config',
        patch: [{ op: 'replace', path: '/environments/production/on', value: true }],
        inverse: [{ op: 'replace', path: '/environments/production/on', value: false }],
      },
    ])
  })
})

describe('an entry of an earlier version', () => {
  const storedEntry = {
    operation: 'patchFlag',
    description: 'Update a feature flag in one environment or in all, with a JSON Patch or a semantic patch',
    kind: 'flag-config',
    name: 'checkout',
    verb: 'updated',
    caller: { id: 'member/ada', memberId: 'ada' },
    changes: [
      {
        resource: 'proj/web:env/production:flag/checkout',
        kind: 'flag-config',
        actions: ['updateOn'],
        patch: [
          { op: 'replace', path: '/on', value: true },
          { op: 'replace', path: '/lastModified', value: 2 },
          { op: 'replace', path: '/version', value: 2 },
        ],
        inverse: [
          { op: 'replace', path: '/on', value: false },
          { op: 'replace', path: '/lastModified', value: 1 },
          { op: 'replace', path: '/version', value: 1 },
        ],
      },
    ],
  }

  it('names the changed properties, and shows them at the paths of the response', async () => {
    const storage = createMemoryStorage()
    const { newest } = await shop(storage)
    const sample = { at: Date.UTC(2026, 1, 1), id: 'earlier', label: 'x', values: [], body: storedEntry, terms: [] }
    const series = { name: 'change-log', scope: 'acct' }
    await storage.account('default').commit([{ do: 'append', series, samples: [sample] }])
    expect(await newest()).toMatchObject({
      titleVerb: 'changed the on of the flag config checkout',
      title: 'ada changed the on of the flag config checkout',
      delta: [
        {
          patch: [{ op: 'replace', path: '/environments/production/on', value: true }],
          inverse: [{ op: 'replace', path: '/environments/production/on', value: false }],
        },
      ],
    })
  })
})
