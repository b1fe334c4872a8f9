import { ApiError, createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everyStorage } from './setup/every-storage.ts'
import { longTests } from './setup/long-tests.ts'

const as = { role: 'admin' } as const
const storages = everyStorage()

/**
 * One change of the account, e.g. `patchFlag` with a body. Values such as `$variation0` are replaced by ids of the
 * account.
 */
interface Call {
  readonly operation: string
  readonly params: Readonly<Record<string, string>>
  readonly body?: unknown
}

const project = { projectKey: 'web' }
const flag = { ...project, flagKey: 'f' }
const segment = { ...project, environmentKey: 'test', segmentKey: 's' }
const aiConfig = { ...project, configKey: 'a' }

const tag = fc.constantFrom('a', 'b', 'c')
const name = fc.constantFrom('one', 'two')
const environmentKey = fc.constantFrom('production', 'test')
const flagKey = fc.constantFrom('f', 'g')
const user = fc.constantFrom('u1', 'u2', 'u3')
const variationId = fc.constantFrom('$variation0', '$variation1')
const list = fc.uniqueArray(tag)

const semantic = (operation: string, params: Call['params'], instruction: object, environmentKey?: string): Call => ({
  operation,
  params,
  body: { ...(environmentKey ? { environmentKey } : {}), instructions: [instruction] },
})

const inFlag = fc.oneof(
  fc.constantFrom('addTags', 'removeTags').chain((kind) => tag.map((value) => ({ kind, values: [value] }))),
  name.map((value) => ({ kind: 'updateName', value })),
  fc.constantFrom({ kind: 'makeFlagPermanent' }, { kind: 'archiveFlag' }, { kind: 'deprecateFlag' }),
  tag.map((key) => ({ kind: 'addCustomProperties', key, name: key, values: [key] })),
  fc.constant({ kind: 'addVariation', value: 'new' }),
  fc.constant({ kind: 'removeVariation', variationId: '$variation1' }),
)
const inConfig = fc.oneof(
  fc.constantFrom({ kind: 'turnFlagOn' }, { kind: 'turnFlagOff' }),
  fc.tuple(user, variationId).map(([value, variation]) => ({
    kind: 'addTargets',
    contextKind: 'user',
    values: [value],
    variationId: variation,
  })),
  fc.tuple(user, variationId).map(([value, variation]) => ({
    kind: 'removeTargets',
    contextKind: 'user',
    values: [value],
    variationId: variation,
  })),
  user.map((value) => ({
    kind: 'addRule',
    variationId: '$variation0',
    clauses: [{ contextKind: 'user', attribute: 'key', op: 'in', values: [value] }],
  })),
  variationId.map((id) => ({ kind: 'updateFallthroughVariationOrRollout', variationId: id })),
  variationId.map((id) => ({ kind: 'updateOffVariation', variationId: id })),
)
const inSegment = fc.oneof(
  user.map((value) => ({ kind: 'addIncludedTargets', contextKind: 'user', values: [value] })),
  user.map((value) => ({ kind: 'removeIncludedTargets', contextKind: 'user', values: [value] })),
  name.map((value) => ({ kind: 'updateName', value })),
  fc.constant({ kind: 'addRule', clauses: [{ contextKind: 'user', attribute: 'key', op: 'in', values: ['x'] }] }),
)
const inTeam = fc.oneof(
  name.map((value) => ({ kind: 'updateName', value })),
  name.map((value) => ({ kind: 'updateDescription', value })),
  fc.tuple(tag, name).map(([key, value]) => ({ kind: 'addRoleAttribute', key, values: [value] })),
  tag.map((key) => ({ kind: 'removeRoleAttribute', key })),
)
const ofTags = fc.oneof(
  tag.map((value) => ({ op: 'add', path: '/tags/-', value })),
  fc.constant({ op: 'remove', path: '/tags/0' }),
  list.map((value) => ({ op: 'replace', path: '/tags', value })),
  name.map((value) => ({ op: 'replace', path: '/name', value })),
)

const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 4, arbitrary: inFlag.map((instruction) => semantic('patchFlag', flag, instruction)) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(inConfig, environmentKey)
      .map(([instruction, key]) => semantic('patchFlag', flag, instruction, key)),
  },
  { weight: 3, arbitrary: ofTags.map((operation) => ({ operation: 'patchFlag', params: flag, body: [operation] })) },
  {
    weight: 2,
    arbitrary: fc.tuple(environmentKey, fc.boolean()).map(([key, value]) => ({
      operation: 'patchFlag',
      params: flag,
      body: [{ op: 'replace', path: `/environments/${key}/on`, value }],
    })),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map((value) => ({
      operation: 'patchFlag',
      params: flag,
      body: [
        { op: 'test', path: '/archived', value },
        { op: 'replace', path: '/temporary', value },
      ],
    })),
  },
  { weight: 1, arbitrary: flagKey.map((key) => ({ operation: 'deleteFlag', params: { ...project, flagKey: key } })) },
  {
    weight: 1,
    arbitrary: name.map((value) => ({ operation: 'createFlag', params: project, body: { key: 'g', name: value } })),
  },
  {
    weight: 2,
    arbitrary: ofTags.map((operation) => ({ operation: 'patchProject', params: project, body: [operation] })),
  },
  {
    weight: 1,
    arbitrary: ofTags.map((operation) => ({
      operation: 'patchEnvironment',
      params: { ...project, environmentKey: 'test' },
      body: [operation],
    })),
  },
  { weight: 3, arbitrary: inSegment.map((instruction) => semantic('patchSegment', segment, instruction, 'test')) },
  { weight: 2, arbitrary: inTeam.map((instruction) => semantic('patchTeam', { teamKey: 't' }, instruction)) },
  {
    weight: 2,
    arbitrary: fc
      .oneof(
        list.map((tags) => ({ tags })),
        name.map((value) => ({ description: value })),
      )
      .map((body) => ({
        operation: 'patchAIConfig',
        params: aiConfig,
        body,
      })),
  },
)

type AnyCall = (input: object, options: { readonly as: typeof as }) => Promise<unknown>

const callOf = (engine: Engine, operation: string) =>
  (engine.api as unknown as Readonly<Record<string, AnyCall>>)[operation] as AnyCall

/** An account with one resource of each kind, served by several engines. */
interface Account {
  readonly engines: readonly Engine[]
  readonly variationIds: readonly string[]
}

let accounts = 0

async function newAccount(storage: Storage, engineCount: number): Promise<Account> {
  const account = `account-${accounts++}`
  const engines = Array.from({ length: engineCount }, () => createEngine({ storage, account }))
  const { api } = engines[0] as Engine
  await api.createProject({ body: { key: 'web', name: 'Web', tags: ['a'] } }, { as })
  const values = { variations: [{ value: 'x' }, { value: 'y' }, { value: 'z' }], tags: ['a', 'b'] }
  const { variations } = await api.createFlag({ ...project, body: { key: 'f', name: 'F', ...values } }, { as })
  const { environmentKey: inTest } = segment
  await api.createSegment({ ...project, environmentKey: inTest, body: { key: 's', name: 'S' } }, { as })
  await api.createTeam({ body: { key: 't', name: 'T' } }, { as })
  await api.createAIConfig({ ...project, body: { key: 'a', name: 'A', tags: ['a'] } }, { as })
  return { engines, variationIds: variations.map(({ _id }) => _id) }
}

/** Makes a call; returns the error with which it was rejected. */
async function make({ engines, variationIds }: Account, { operation, params, body }: Call, index = 0) {
  const engine = engines[index % engines.length] as Engine
  const text = JSON.stringify(body)?.replace(/\$variation(\d)/g, (_, digit) => variationIds[Number(digit)] as string)
  try {
    await callOf(engine, operation)({ ...params, ...(text === undefined ? {} : { body: JSON.parse(text) }) }, { as })
    return undefined
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error
    throw error
  }
}

/** Properties that differ between accounts, or count the changes. */
const generatedProperties = new Set([
  '_id',
  '_version',
  'version',
  'creationDate',
  'lastModified',
  'createdAt',
  'updatedAt',
  'salt',
  'sel',
])

/** Returns everything that callers can see of the account, without ids, dates and versions. */
async function shown({ engines }: Account): Promise<unknown> {
  const engine = engines[0] as Engine
  const requests: readonly (readonly [string, object])[] = [
    ['getProject', project],
    ['getEnvironment', { ...project, environmentKey: 'test' }],
    ['listFlags', project],
    ['getFlag', flag],
    ['getSegment', segment],
    ['getTeam', { teamKey: 't' }],
    ['getAIConfig', aiConfig],
  ]
  const bodies = await Promise.all(
    requests.map(([operation, input]) =>
      callOf(engine, operation)(input, { as }).catch((error: ApiError) => error.code),
    ),
  )
  return JSON.parse(JSON.stringify(bodies), (key, value) =>
    generatedProperties.has(key) || isDate(key) ? undefined : value,
  )
}

const isDate = (key: string) => /(Date|Key|Modified|At)$/.test(key) && key !== 'configKey'

/** Returns the results of making the calls one after the other on a new account. */
async function replay(calls: readonly Call[]): Promise<unknown> {
  const account = await newAccount(createMemoryStorage(), 1)
  for (const each of calls) if (await make(account, each)) return 'a call was rejected'
  return shown(account)
}

function* permutations<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length < 2) return void (yield items)
  for (const [index, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest]
  }
}

/**
 * Asserts that the account is in a state that results from making the calls in some order. The order of completion is
 * tried first, because it is likely.
 */
async function expectSerialOrder(result: unknown, completed: readonly Call[]): Promise<void> {
  for (const order of permutations(completed)) if (same(await replay(order), result)) return
  expect(result).toEqual(await replay(completed))
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const runs = longTests ? 500 : 12

describe.each(Object.entries(storages))('concurrent calls on %s', (storageName, open) => {
  it('by two engines have the result of some serial order, and rejected calls write nothing', async () => {
    const storage = await open()
    const property = fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 5 }), async (calls) => {
      const account = await newAccount(storage, 2)
      const completed: Call[] = []
      const errors = await Promise.all(
        calls.map(async (each, index) => {
          const error = await make(account, each, index)
          if (!error) completed.push(each)
          return error
        }),
      )
      await expectSerialOrder(await shown(account), completed)
      for (const [index, error] of errors.entries()) {
        // Only a call that would overwrite a concurrent change, or whose `test` fails, has to be repeated by its
        // caller.
        if (error?.code !== 'optimistic_locking_error') continue
        const reason = { call: calls[index], body: error.body }
        const explains = error.conflicts !== undefined || JSON.stringify(calls[index]).includes('"test"')
        expect({ ...reason, explains: explains || calls[index]?.operation === 'createFlag' }).toEqual({
          ...reason,
          explains: true,
        })
      }
    })
    await fc.assert(property, { numRuns: storageName === 'memory' ? runs * 4 : runs })
  }, 300_000)
})
