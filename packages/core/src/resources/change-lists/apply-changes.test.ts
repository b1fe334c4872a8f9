import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { ApiError, createEngine, type Hooks } from '../../index.ts'
import { failureOf } from '../account/test/calls.ts'

const as = { role: 'owner' } as const
const shop = { projectKey: 'web' }
const checkout = { ...shop, flagKey: 'checkout' }

interface Change {
  readonly operation: string
  readonly parameters?: object
  readonly body?: unknown
  readonly ifMatch?: string
}

const create = (key: string): Change => ({ operation: 'createFlag', parameters: shop, body: { key, name: key } })
const turnOn = (flagKey: string, environmentKey = 'test'): Change => ({
  operation: 'patchFlag',
  parameters: { ...shop, flagKey },
  body: { environmentKey, instructions: [{ kind: 'turnFlagOn' }] },
})

/** Creates the project Web with the flag Checkout. */
async function web(hooks?: Hooks) {
  let now = Date.UTC(2026, 0, 31, 12)
  const storage = createMemoryStorage()
  const engine = createEngine({ storage, clock: () => now++, ...(hooks && { hooks }) })
  const bound = engine.as(as)
  await bound.createProject({ body: { key: 'web', name: 'Web' } })
  await bound.createFlag({ ...shop, body: { key: 'checkout', name: 'Checkout' } })
  const apply = (changes: readonly Change[], others: object = {}, options: object = {}) =>
    // Cast: tests send inputs that the operation validates.
    engine.api.applyChanges({ ...options, body: { changes, ...others } } as never, { as })
  const entries = async () => (await bound.listChangeLog({ limit: 100 })).items
  const flagKeys = async () => (await bound.listFlags(shop)).items.map(({ key }) => key).sort()
  const etag = async () => {
    const { headers } = await engine.handle({
      method: 'GET',
      path: '/api/v2/flags/web/checkout',
      query: '',
      header: (name: string) => (name === 'authorization' ? token : undefined),
      body: { kind: 'parsed', value: undefined },
    } as never)
    return headers.etag ?? ''
  }
  const token = (await engine.bootstrap())?.token ?? ''
  return { engine, storage, api: bound, apply, entries, flagKeys, etag }
}

describe('applyChanges', () => {
  it('lets each change read the writes of the previous changes', async () => {
    const { api, apply } = await web()
    const { items } = await apply([create('pay'), turnOn('pay'), turnOn('pay', 'production'), turnOn('checkout')])
    expect(items.map(({ operation }) => operation)).toEqual(['createFlag', 'patchFlag', 'patchFlag', 'patchFlag'])
    const { environments } = await api.getFlag({ ...shop, flagKey: 'pay' })
    expect(environments?.test?.on).toBe(true)
    expect(environments?.production?.on).toBe(true)
  })

  it('refuses a key that an earlier change of the list has used', async () => {
    const { apply, flagKeys } = await web()
    const failure = await failureOf(apply([create('pay'), create('pay')]))
    expect(failure.message).toContain('changes.1 (createFlag)')
    expect(await flagKeys()).toEqual(['checkout'])
  })

  it('omits resources that an earlier change of the list has deleted from later reads of lists', async () => {
    const { apply, flagKeys, api } = await web()
    await api.createFlag({ ...shop, body: { key: 'child', name: 'Child' } })
    const prerequisite = { kind: 'addPrerequisite', key: 'checkout', variationId: '' }
    const { variations } = await api.getFlag(checkout)
    prerequisite.variationId = variations?.[0]?._id ?? ''
    const body = { environmentKey: 'test', instructions: [prerequisite] }
    await api.patchFlag({ ...shop, flagKey: 'child', body: body as never })
    const remove = (flagKey: string) => ({ operation: 'deleteFlag', parameters: { ...shop, flagKey } })
    const refused = await failureOf(apply([remove('checkout'), remove('child')]))
    expect(refused.message).toContain('changes.0 (deleteFlag)')
    await apply([remove('child'), remove('checkout')])
    expect(await flagKeys()).toEqual([])
  })

  it('writes nothing when a later change fails, and names its index, its operation and the attribute', async () => {
    const { apply, entries, flagKeys } = await web()
    const before = await entries()
    const failure = await failureOf(apply([create('pay'), { ...create('x'), body: { key: '!', name: 'X' } }]))
    expect(failure.code).toBe('invalid_request')
    expect(failure.message).toContain('changes.1 (createFlag)')
    expect(failure.errors?.map(({ attribute }) => attribute)).toEqual(['changes.1.body.key'])
    expect(await flagKeys()).toEqual(['checkout'])
    expect(await entries()).toEqual(before)
  })

  it('writes one entry for each change, and each entry can be reverted separately', async () => {
    const { api, apply, entries, flagKeys } = await web()
    const { items } = await apply([create('pay'), turnOn('checkout')])
    const ids = items.map(({ entryId }) => entryId)
    expect((await entries()).slice(0, 2).map(({ _id }) => _id)).toEqual([...ids].reverse())
    await api.revertChangeLogEntry({ id: ids[1] ?? '', body: {} })
    expect((await api.getFlag(checkout)).environments?.test?.on).toBe(false)
    expect(await flagKeys()).toEqual(['checkout', 'pay'])
  })

  it('checks the rights of the caller for each change', async () => {
    const { engine, flagKeys } = await web()
    const policy = [{ effect: 'allow', resources: ['proj/web', 'proj/web:env/*:flag/pay'], actions: ['*'] }] as const
    const changes = [create('pay'), create('other')]
    const failure = await failureOf(
      engine.api.applyChanges({ body: { changes } as never }, { as: { policy } as never }),
    )
    expect(failure).toMatchObject({ code: 'forbidden', message: expect.stringContaining('changes.1 (createFlag)') })
    expect(await flagKeys()).toEqual(['checkout'])
  })

  it('requires approval for each change that needs it', async () => {
    const { api, apply, flagKeys } = await web()
    const settings = [{ op: 'replace', path: '/approvalSettings/required', value: true }]
    await api.patchEnvironment({ ...shop, environmentKey: 'production', body: settings as never })
    const changes = [create('pay'), turnOn('checkout', 'production')]
    expect(await failureOf(apply(changes))).toMatchObject({ code: 'method_not_allowed' })
    expect(await flagKeys()).toEqual(['checkout'])
    const bypass = { ...changes[1], parameters: { ...checkout, bypassRequiredApproval: true } } as Change
    await apply([create('pay'), bypass])
    expect(await flagKeys()).toEqual(['checkout', 'pay'])
  })

  it('returns the results of a dry run and writes nothing', async () => {
    const { apply, entries, flagKeys } = await web()
    const before = await entries()
    const { items } = await apply([create('pay'), turnOn('pay')], {}, { dryRun: true })
    expect(items[1]?.body).toMatchObject({ key: 'pay', environments: { test: { on: true } } })
    expect(await flagKeys()).toEqual(['checkout'])
    expect(await entries()).toEqual(before)
  })

  it.each([
    ['reads', { operation: 'getFlag', parameters: checkout }, 'changes.0.operation'],
    ['is unknown', { operation: 'nothing' }, 'changes.0.operation'],
    ['needs no caller', { operation: 'acceptInvitation', body: {} }, 'changes.0.operation'],
    ['reverts others', { operation: 'revertChangeLogEntry', parameters: { id: 'x' }, body: {} }, 'changes.0.operation'],
    ['combines others', { operation: 'applyChanges', body: { changes: [] } }, 'changes.0.operation'],
    ['makes a secret', { operation: 'createProject', body: { key: 'shop', name: 'Shop' } }, 'changes.0.operation'],
    ['runs dry', { ...create('pay'), parameters: { ...shop, dryRun: true } }, 'changes.0.parameters.dryRun'],
  ])('refuses an operation that %s', async (_, change, attribute) => {
    const { apply } = await web()
    const failure = await failureOf(apply([change]))
    expect(failure.errors?.map((error) => error.attribute)).toEqual([attribute])
  })
})

describe('a precondition', () => {
  it('fails with a conflict that names it when another call has changed the resource', async () => {
    const { api, apply, etag, flagKeys } = await web()
    const preconditions = [{ operation: 'getFlag', parameters: checkout, ifMatch: await etag() }]
    await apply([create('first')], { preconditions })
    await api.patchFlag({ ...checkout, body: [{ op: 'replace', path: '/name', value: 'Pay' }] })
    const failure = await failureOf(apply([create('second')], { preconditions }))
    expect(failure).toMatchObject({ code: 'optimistic_locking_error' })
    expect(failure.message).toContain('preconditions.0 (getFlag {"projectKey":"web","flagKey":"checkout"})')
    expect(await flagKeys()).toEqual(['checkout', 'first'])
  })

  it('is checked by the commit itself', async () => {
    let change = async () => {}
    const { api, apply, etag, flagKeys } = await web({ beforeCommit: () => change() })
    const preconditions = [{ operation: 'getFlag', parameters: checkout, ifMatch: await etag() }]
    change = async () => {
      change = async () => {}
      await api.patchFlag({ ...checkout, body: [{ op: 'replace', path: '/name', value: 'Pay' }] })
    }
    expect(await failureOf(apply([create('pay')], { preconditions }))).toMatchObject({
      code: 'optimistic_locking_error',
    })
    expect(await flagKeys()).toEqual(['checkout'])
  })

  it('of one change is compared with the state that the previous changes wrote', async () => {
    const { apply, etag } = await web()
    const ifMatch = await etag()
    await apply([{ ...turnOn('checkout'), ifMatch }])
    expect(await failureOf(apply([{ ...turnOn('checkout', 'production'), ifMatch }]))).toMatchObject({
      code: 'optimistic_locking_error',
      message: expect.stringContaining('changes.0 (patchFlag)'),
    })
  })
})

describe('a list of changes with concurrent calls', () => {
  it('runs again when another call changes another part of the flag before its commit', async () => {
    let change = async () => {}
    const { api, apply } = await web({ beforeCommit: () => change() })
    change = async () => {
      change = async () => {}
      await api.patchFlag({ ...checkout, body: [{ op: 'replace', path: '/name', value: 'Pay' }] })
    }
    await apply([create('pay'), turnOn('checkout')])
    const flag = await api.getFlag(checkout)
    expect(flag).toMatchObject({ name: 'Pay', environments: { test: { on: true } } })
  })

  it('conflicts with a call that changes the same part before its commit', async () => {
    let change = async () => {}
    const { api, apply, flagKeys } = await web({ beforeCommit: () => change() })
    change = async () => {
      change = async () => {}
      await api.patchFlag({ ...checkout, body: [{ op: 'replace', path: '/name', value: 'Pay' }] })
    }
    const rename = [{ op: 'replace', path: '/name', value: 'Till' }]
    const failure = await failureOf(
      apply([create('pay'), { operation: 'patchFlag', parameters: checkout, body: rename }]),
    )
    expect(failure.conflicts).toEqual([{ path: '/name', base: 'Checkout', yours: 'Till', theirs: 'Pay' }])
    expect(await flagKeys()).toEqual(['checkout'])
  })

  it('calls the hooks once, with all changes', async () => {
    const seen: { readonly operation: string; readonly parts: readonly string[]; readonly sentences: number }[] = []
    const { apply } = await web({
      beforeCommit({ operation, parts = [], sentences, resources }) {
        if (operation === 'applyChanges')
          seen.push({ operation, parts: parts.map((part) => part.operation), sentences: sentences.length })
        if (resources.some(({ resource }) => resource.endsWith('flag/frozen')))
          throw new ApiError('forbidden', { message: 'frozen' })
      },
    })
    await apply([create('pay'), turnOn('checkout')])
    expect(seen).toEqual([{ operation: 'applyChanges', parts: ['createFlag', 'patchFlag'], sentences: 2 }])
    expect(await failureOf(apply([create('other'), create('frozen')]))).toMatchObject({ message: 'frozen' })
  })
})
