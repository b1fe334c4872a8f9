import { createTestEngine } from '@halyard/testing'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import {
  bindFlags,
  compareFlags,
  connectFlags,
  defineFlags,
  type FlagsOf,
  flagsAdapter,
  flagsProviderData,
  forcedFlagsCookie,
  forceFlags,
  readForcedFlags,
} from '../../entries/flags.ts'

const ann = { kind: 'user', key: 'ann' }
const environment = { projectKey: 'shop', environmentKey: 'production' }

const define = () =>
  defineFlags({
    checkout: { type: 'boolean', fallback: false, description: 'The new checkout' },
    theme: { type: 'string', fallback: 'light', values: ['dark', 'light'] },
    items: { type: 'number', fallback: 20 },
    retry: { type: 'json', fallback: { times: 3 }, values: [{ times: 3 }, { times: 5 }], name: 'Retries' },
  })

const engine = await createTestEngine({ countEvaluations: true })
const as = engine.admin

const turnOn = (flagKey: string) => {
  const body = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] } as never
  return engine.api.patchFlag({ projectKey: 'shop', flagKey, body }, { as })
}

beforeAll(async () => {
  await engine.given.project('shop')
  await engine.given.flag('shop', 'items', { variations: [{ value: 50 }, { value: 20 }] })
  await engine.given.flag('shop', 'unused')
  await engine.given.flag('shop', 'needs-checkout')
  await compareFlags(define(), engine, 'shop', { as, register: true })
  for (const flagKey of ['checkout', 'theme', 'items', 'retry', 'unused']) await turnOn(flagKey)
})
afterAll(() => engine.close())

describe('declared flags', () => {
  it('have the types of their declarations', () => {
    const flags = define()
    expectTypeOf(flags.checkout(ann)).toEqualTypeOf<boolean>()
    expectTypeOf(flags.theme(ann)).toEqualTypeOf<'dark' | 'light'>()
    expectTypeOf(flags.items(ann)).toEqualTypeOf<number>()
    expectTypeOf(flags.retry(ann)).toEqualTypeOf<{ readonly times: number }>()
    expectTypeOf<FlagsOf<typeof flags>['theme']>().toEqualTypeOf<'dark' | 'light'>()
    // @ts-expect-error no flag has this key
    expect(flags.chekout).toBeUndefined()
    // @ts-expect-error the fallback of a boolean flag is a boolean
    expect(() => defineFlags({ checkout: { type: 'boolean', fallback: 'no' } })).toThrow(TypeError)
  })

  it('return their fallbacks until they are connected, and the values of the environment afterwards', async () => {
    const flags = define()
    const values = () => [flags.checkout(ann), flags.theme(ann), flags.items(ann), flags.retry(ann)]
    expect(values()).toEqual([false, 'light', 20, { times: 3 }])
    await connectFlags(flags, engine.evaluator(environment))
    expect(values()).toEqual([true, 'dark', 50, { times: 5 }])
  })

  it('return their fallbacks when the flag has another type or a value that is not declared', async () => {
    const flags = defineFlags({
      checkout: { type: 'string', fallback: 'no' },
      theme: { type: 'string', fallback: 'sepia', values: ['sepia', 'light'] },
      items: { type: 'json', fallback: [] },
      absent: { type: 'number', fallback: 1 },
    })
    await connectFlags(flags, engine.evaluator(environment))
    expect([flags.checkout(ann), flags.theme(ann), flags.items(ann), flags.absent(ann)]).toEqual(['no', 'sepia', [], 1])
  })

  it('keep their values when the environment cannot be read', async () => {
    const flags = define()
    const absent = engine.evaluator({ projectKey: 'shop', environmentKey: 'absent' })
    await expect(connectFlags(flags, absent)).rejects.toMatchObject({ code: 'not_found' })
    expect(flags.checkout(ann)).toBe(false)
  })

  it.each([
    [{ type: 'text', fallback: 'a' }, 'checkout.type: must be boolean, string, number or json'],
    [{ type: 'boolean', fallback: 0 }, 'checkout.fallback: must be a boolean'],
    [{ type: 'json', fallback: null }, 'checkout.fallback: must be an object or an array'],
    [{ type: 'string', fallback: 'a', values: ['a', 1] }, 'checkout.values: each must be a string'],
    [{ type: 'number', fallback: 3, values: [1, 2] }, 'checkout.fallback: must be one of `values`'],
  ])('are refused when they contradict themselves: %j', (declaration, message) => {
    expect(() => defineFlags({ checkout: declaration as never })).toThrow(new TypeError(message))
  })
})

describe('the comparison of declared flags with a project', () => {
  it('creates missing flags that serve their fallback while they are off', async () => {
    await engine.given.project('empty')
    const nothing = { registered: [], missing: [], archived: [], mismatched: [], undeclared: [] }
    const flags = defineFlags({
      checkout: { type: 'boolean', fallback: true, description: 'The new checkout' },
      theme: { type: 'string', fallback: 'light', values: ['light', 'dark'], name: 'Theme' },
    })
    const keys = ['checkout', 'theme']
    expect(await compareFlags(flags, engine, 'empty', { as })).toEqual({ ...nothing, missing: keys })
    const comparisons = await Promise.all([
      compareFlags(flags, engine, 'empty', { as, register: true }),
      compareFlags(flags, engine, 'empty', { as, register: true }),
    ])
    expect(comparisons.flatMap(({ registered }) => registered).sort()).toEqual(keys)
    expect(await compareFlags(flags, engine, 'empty', { as, register: true })).toEqual(nothing)
    const theme = await engine.api.getFlag({ projectKey: 'empty', flagKey: 'theme' }, { as })
    expect(theme).toMatchObject({ name: 'Theme', defaults: { onVariation: 1, offVariation: 0 } })
    const checkout = await engine.api.getFlag({ projectKey: 'empty', flagKey: 'checkout' }, { as })
    expect(checkout).toMatchObject({ name: 'checkout', description: 'The new checkout' })
    const evaluator = engine.evaluator({ projectKey: 'empty', environmentKey: 'test' })
    await evaluator.ready()
    expect([evaluator.evaluate('checkout', ann, false).value, evaluator.evaluate('theme', ann, '').value]).toEqual([
      true,
      'light',
    ])
  })

  it('reports archived, mismatched and undeclared flags, over several pages', async () => {
    await engine.given.project('large')
    for (let i = 0; i < 102; i++) await engine.given.flag('large', `flag-${i}`)
    for (const flagKey of ['flag-0', 'flag-1']) {
      const body = [{ op: 'replace', path: '/archived', value: true }] as never
      await engine.api.patchFlag({ projectKey: 'large', flagKey, body }, { as })
    }
    const flags = defineFlags({
      'flag-0': { type: 'boolean', fallback: false },
      'flag-2': { type: 'number', fallback: 1 },
      'flag-101': { type: 'boolean', fallback: false },
    })
    const compared = await compareFlags(flags, engine, 'large', { as })
    expect(compared).toMatchObject({ missing: [], archived: ['flag-0'], mismatched: ['flag-2'] })
    expect(compared.undeclared).toHaveLength(98)
    expect(compared.undeclared).not.toContain('flag-1')
  })

  it('creates nothing when one of the missing flags declares too few values', async () => {
    const flags = defineFlags({
      first: { type: 'boolean', fallback: false },
      second: { type: 'string', fallback: 'a' },
    })
    const registering = compareFlags(flags, engine, 'shop', { as, register: true })
    await expect(registering).rejects.toThrow('second.values: must contain at least 2 values')
    await expect(engine.api.getFlag({ projectKey: 'shop', flagKey: 'first' }, { as })).rejects.toThrow()
  })

  it('needs the right to create flags', async () => {
    const flags = defineFlags({ forbidden: { type: 'boolean', fallback: false } })
    const reader = { role: 'reader' } as const
    expect((await compareFlags(flags, engine, 'shop', { as: reader })).missing).toEqual(['forbidden'])
    await expect(compareFlags(flags, engine, 'shop', { as: reader, register: true })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('forced flags', () => {
  it('have their values for every context, while other flags keep their values', async () => {
    const evaluator = engine.evaluator(environment)
    await evaluator.ready()
    const forced = forceFlags({ checkout: false, later: 'soon', unused: undefined }, evaluator)
    expect(forced.evaluate('checkout', ann, true)).toEqual({
      value: false,
      variationIndex: 1,
      reason: { kind: 'FALLTHROUGH' },
    })
    expect(forced.evaluate('later', ann, '').value).toBe('soon')
    expect(forced.evaluate('later', ann, 0)).toMatchObject({ value: 0, reason: { errorKind: 'WRONG_TYPE' } })
    expect(forced.evaluate('theme', ann, '').value).toBe('dark')
    expect(forced.peek('unused', ann, false).value).toBe(true)
    expect(forced.evaluateAll(ann)).toMatchObject({ checkout: { value: false }, items: { value: 50 } })
    expect(evaluator.evaluate('checkout', ann, false).value).toBe(true)
  })

  it('are visible to client-side SDKs only if the flag itself is', async () => {
    const evaluator = engine.evaluator(environment)
    await evaluator.ready()
    const clientSide = 'environmentId' as const
    const visible = Object.keys(evaluator.evaluateAll(ann, { clientSide }))
    const forced = forceFlags({ checkout: false }, evaluator)
    expect(visible).not.toContain('checkout')
    expect(Object.keys(forced.evaluateAll(ann, { clientSide }))).toEqual(visible)
  })

  it('are not counted as evaluations', async () => {
    const read = async () => {
      await engine.sdk.flush()
      return (await engine.sdk.evaluations({ ...environment, flagKey: 'unused' })).map(({ count }) => count)
    }
    const evaluator = engine.evaluator(environment)
    await evaluator.ready()
    const forced = forceFlags({ unused: true }, evaluator)
    forced.evaluate('unused', ann, false)
    forced.count('unused', 0)
    const before = await read()
    evaluator.evaluate('unused', ann, false)
    expect([before, await read()]).toEqual([[], [1]])
  })

  it('need no engine in unit tests', async () => {
    const flags = define()
    await connectFlags(flags, forceFlags<FlagsOf<typeof flags>>({ checkout: true, theme: 'dark' }))
    expect([flags.checkout(ann), flags.theme(ann), flags.items(ann)]).toEqual([true, 'dark', 20])
    // @ts-expect-error the flag has no such value
    await connectFlags(flags, forceFlags<FlagsOf<typeof flags>>({ theme: 'sepia' }))
    expect(flags.theme(ann)).toBe('light')
  })

  it('apply to one request while others keep the values of the environment', async () => {
    const flags = define()
    await connectFlags(flags, engine.evaluator(environment))
    const inRequest = bindFlags(flags, forceFlags({ checkout: false }, engine.evaluator(environment)))
    expect([inRequest.checkout(ann), inRequest.theme(ann), flags.checkout(ann)]).toEqual([false, 'dark', true])
  })
})

describe('a cookie that forces flags', () => {
  const secret = 'x'.repeat(32)
  const now = 1_700_000_000_000
  const cookieOf = async (values: Readonly<Record<string, unknown>>, options: object = {}) =>
    (await forcedFlagsCookie(values, { secret, now, ...options })).split(';')[0] as string
  const read = (cookies: string | null, options: object = {}) => readForcedFlags(cookies, { secret, now, ...options })

  it('carries the values until it expires', async () => {
    const values = { checkout: true, theme: 'größer "…"; ok', __proto__x: null, retry: { times: 1 } }
    const header = await forcedFlagsCookie(values, { secret, now, maxAgeSeconds: 60 })
    expect(header).toMatch(/^__Host-halyard-forced-flags=[\w.-]+; Max-Age=60; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
    const cookie = header.split(';')[0] as string
    expect(await read(`a=b; ${cookie}; c=d`, { now: now + 59_999 })).toEqual(values)
    expect(await read(cookie, { now: now + 60_000 })).toEqual({})
  })

  it('has no effect with another secret, or when any character is altered', async () => {
    const cookie = await cookieOf({ checkout: true })
    expect(await read(cookie, { secret: 'y'.repeat(32) })).toEqual({})
    const from = cookie.indexOf('=') + 1
    for (let i = from; i < cookie.length - 1; i++) {
      const altered = cookie.slice(0, i) + (cookie[i] === 'A' ? 'B' : 'A') + cookie.slice(i + 1)
      expect(await read(altered)).toEqual({})
    }
    const other = await cookieOf({ theme: 'dark' })
    expect(await read(`${cookie.split('.')[0]}.${other.split('.')[1]}`)).toEqual({})
  })

  it('is ignored without an error when it is absent, malformed or empty', async () => {
    for (const cookies of [null, '', 'x', '__Host-halyard-forced-flags=', '__Host-halyard-forced-flags=a.b']) {
      expect(await read(cookies)).toEqual({})
    }
    expect(await forcedFlagsCookie({}, { secret, now })).toContain('=; Max-Age=0;')
  })

  it('does not change other objects when a flag is called __proto__', async () => {
    const values = JSON.parse('{"__proto__":{"polluted":true}}')
    const forced = forceFlags(await read(await cookieOf(values)))
    expect(forced.evaluate('__proto__', ann, {}).value).toEqual({ polluted: true })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it.each([
    [{ secret: 'x'.repeat(31) }, 'secret: must have at least 32 characters'],
    [{ maxAgeSeconds: 0 }, 'maxAgeSeconds: must be an integer from 1 to 604800'],
    [{ maxAgeSeconds: 604_801 }, 'maxAgeSeconds: must be an integer from 1 to 604800'],
  ])('is refused with the options %j', async (options, message) => {
    await expect(cookieOf({ checkout: true }, options)).rejects.toThrow(new RangeError(message))
  })

  it('is refused with options that browsers would not store', async () => {
    await expect(cookieOf({ text: 'x'.repeat(4_000) })).rejects.toThrow(
      'values: the cookie must have at most 4096 bytes',
    )
  })
})

describe('an adapter of the package flags', () => {
  const evaluator = engine.evaluator(environment)

  it('evaluates flags for a context, one by one and together', async () => {
    const adapter = flagsAdapter(evaluator)
    const entities = ann
    expect(await adapter.decide({ key: 'theme', entities, defaultValue: 'light' })).toBe('dark')
    const flags = [{ key: 'items' }, { key: 'checkout', defaultValue: 'text' }, { key: '__proto__', defaultValue: 1 }]
    const decided = await adapter.bulkDecide({ flags, entities })
    expect(Object.entries(decided)).toEqual([
      ['items', 50],
      ['checkout', 'text'],
      ['__proto__', 1],
    ])
    expect(flagsAdapter(evaluator).adapterId).toBe(adapter.adapterId)
  })

  it('returns the default without a context, and rejects when the environment does not exist', async () => {
    expect(await flagsAdapter(evaluator).decide({ key: 'theme', defaultValue: 'light' })).toBe('light')
    const absent = engine.evaluator({ projectKey: 'shop', environmentKey: 'absent' })
    const deciding = flagsAdapter(absent).decide({ key: 'theme', entities: ann, defaultValue: 'light' })
    await expect(deciding).rejects.toMatchObject({ code: 'not_found' })
  })

  it('describes the flags of a project, without the archived ones', async () => {
    await engine.given.project('toolbar')
    const variations = [{ value: 1, name: 'One' }, { value: 2 }]
    await engine.given.flag('toolbar', 'pages', { name: 'Pages', variations })
    await engine.given.flag('toolbar', 'old', { description: 'The old page' })
    const body = [{ op: 'replace', path: '/archived', value: true }] as never
    await engine.api.patchFlag({ projectKey: 'toolbar', flagKey: 'old', body }, { as })
    const originOf = (flagKey: string) => `https://flags.example.test/${flagKey}`
    expect(await flagsProviderData(engine, 'toolbar', { as, originOf })).toEqual({
      definitions: {
        pages: {
          description: 'Pages',
          options: [{ value: 1, label: 'One' }, { value: 2 }],
          origin: 'https://flags.example.test/pages',
          createdAt: engine.now(),
        },
      },
      hints: [],
    })
  })
})
