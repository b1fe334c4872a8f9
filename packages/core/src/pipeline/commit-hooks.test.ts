import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import {
  ApiError,
  type CommittedChange,
  createEngine,
  type Hooks,
  type LogEntry,
  type PendingChange,
} from '../index.ts'

const as = { role: 'owner' } as const
const keys = { projectKey: 'web', flagKey: 'checkout' }

/**
 * Returns an engine with a flag, and the list of its log events. Its hooks are called for changes after the creation of
 * the flag.
 */
async function openEngine(...hooks: readonly Hooks[]) {
  const storage = createMemoryStorage()
  const setUp = createEngine({ storage })
  await setUp.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await setUp.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  const log: LogEntry[] = []
  const engine = createEngine({ storage, hooks, log: (entry) => log.push(entry) })
  const rename = (name: string, options: { readonly dryRun?: true } = {}) =>
    engine.api.patchFlag({ ...keys, ...options, body: [{ op: 'replace', path: '/name', value: name }] }, { as })
  const flagName = async () => (await engine.api.getFlag(keys, { as })).name
  return { engine, log, rename, flagName }
}

it('hooks are called in their order, and the first refusal ends the call', async () => {
  const calls: string[] = []
  const hooks = (name: string, refuses = false): Hooks => ({
    async beforeCommit() {
      calls.push(`before ${name}`)
      if (refuses) throw new ApiError('invalid_request', { message: 'Name the ticket in the comment' })
    },
    afterCommit: () => void calls.push(`after ${name}`),
  })
  const accepting = await openEngine(hooks('a'), {}, hooks('b'))
  await accepting.rename('Pay')
  expect(calls.splice(0)).toEqual(['before a', 'before b', 'after a', 'after b'])
  const refusing = await openEngine(hooks('a'), hooks('b', true), hooks('c'))
  await expect(refusing.rename('Pay')).rejects.toMatchObject({
    status: 400,
    body: { code: 'invalid_request', message: 'Name the ticket in the comment' },
  })
  expect(calls).toEqual(['before a', 'before b'])
  expect(await refusing.flagName()).toBe('Checkout')
})

it('a beforeCommit that throws another error than a refusal is logged, the call fails with an internal error, and nothing is written', async () => {
  const error = new Error('no connection to the ticket system')
  const { rename, flagName, log } = await openEngine({
    beforeCommit() {
      throw error
    },
  })
  await expect(rename('Pay')).rejects.toMatchObject({ status: 500, cause: error })
  expect(await flagName()).toBe('Checkout')
  expect(log).toMatchObject([{ level: 'error', event: 'unhandled-error', operation: 'patchFlag', error }])
})

it('a beforeCommit that does not end refuses the change after timeoutMs', async () => {
  const { rename, flagName } = await openEngine({ beforeCommit: () => new Promise(() => {}), timeoutMs: 5 })
  await expect(rename('Pay')).rejects.toMatchObject({
    status: 503,
    message: 'The hook beforeCommit of the application did not end within 5 ms',
  })
  expect(await flagName()).toBe('Checkout')
})

it('an afterCommit that fails or does not end is logged, and the caller gets the response', async () => {
  const error = new Error('no connection')
  const calls: string[] = []
  const { rename, flagName, log } = await openEngine(
    { afterCommit: () => Promise.reject(error) },
    { afterCommit: () => new Promise(() => {}), timeoutMs: 5 },
    { afterCommit: ({ operation }) => void calls.push(operation) },
  )
  expect((await rename('Pay')).name).toBe('Pay')
  expect(await flagName()).toBe('Pay')
  expect(calls).toEqual(['patchFlag'])
  expect(log).toMatchObject([
    { level: 'error', event: 'hook-failed', operation: 'patchFlag', error },
    { level: 'error', event: 'hook-failed', error: { code: 'service_unavailable' } },
  ])
})

it('hooks receive the sentence, the caller, and each document before and after as responses show it', async () => {
  const changes: PendingChange[] = []
  const { engine } = await openEngine({ beforeCommit: (change) => void changes.push(change) })
  await engine.api.patchFlag(
    { ...keys, body: { environmentKey: 'production', comment: 'for all', instructions: [{ kind: 'turnFlagOn' }] } },
    { as },
  )
  const [change] = changes
  expect(change).toMatchObject({
    operation: 'patchFlag',
    sentences: ['turned on Checkout in Production'],
    comment: 'for all',
    caller: { id: 'role/owner' },
    dryRun: false,
  })
  expect(change?.resources[0]).toMatchObject({
    resource: 'proj/web:env/production:flag/checkout',
    kind: 'flag-config',
    actions: ['updateOn'],
    patch: [{ op: 'replace', path: '/environments/production/on', value: true }],
    before: { on: false },
    after: { on: true },
  })
  await engine.api.createWebhook(
    { body: { url: 'https://example.com/hook', on: true, sign: true, secret: 'a-secret-of-the-receiver' } },
    { as },
  )
  const [created] = changes[1]?.resources ?? []
  expect(created).toMatchObject({ kind: 'webhook', before: undefined, after: { url: 'https://example.com/hook' } })
  expect(JSON.stringify(changes)).not.toContain('a-secret-of-the-receiver')
})

it('a dry run and a simulation call beforeCommit with `dryRun`, do not run the statements that it adds, and do not call afterCommit', async () => {
  const before: boolean[] = []
  const after: CommittedChange[] = []
  const { engine, rename } = await openEngine({
    beforeCommit({ dryRun, addStatement }) {
      before.push(dryRun)
      addStatement('select 1')
    },
    afterCommit: (change) => void after.push(change),
  })
  await rename('Pay', { dryRun: true })
  const flag = { ...keys, environmentKey: 'production' }
  await engine.simulate({ ...flag, instructions: [{ kind: 'turnFlagOn' }], contexts: [] }, { as })
  expect(before).toEqual([true, true])
  expect(after).toEqual([])
})

it('beforeCommit is called again when another call has changed the document, and afterCommit once', async () => {
  const calls: string[] = []
  let interrupt: (() => Promise<unknown>) | undefined
  const { engine, rename } = await openEngine({
    async beforeCommit({ sentences }) {
      calls.push(`before: ${sentences}`)
      const change = interrupt
      interrupt = undefined
      await change?.()
    },
    afterCommit: ({ sentences }) => void calls.push(`after: ${sentences}`),
  })
  interrupt = () => engine.api.patchFlag({ ...keys, body: [{ op: 'add', path: '/tags/-', value: 'eu' }] }, { as })
  await rename('Pay')
  const tagSentence = 'added the tag eu to Checkout'
  const renamed = 'renamed Checkout to Pay'
  expect(calls).toEqual([
    `before: ${renamed}`,
    `before: ${tagSentence}`,
    `after: ${tagSentence}`,
    `before: ${renamed}`,
    `after: ${renamed}`,
  ])
})

it('hooks that are not functions, and a time that is not positive, are refused', () => {
  const storage = createMemoryStorage()
  expect(() => createEngine({ storage, hooks: { timeoutMs: 0 } })).toThrow(
    'hooks.timeoutMs: must be a positive integer',
  )
  expect(() => createEngine({ storage, hooks: [{ afterCommit: 'log' as never }] })).toThrow(
    'hooks.afterCommit: must be a function',
  )
})
