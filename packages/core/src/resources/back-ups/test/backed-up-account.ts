import { createHash } from 'node:crypto'
import { type ApiError, createEngine, type Engine } from '@halyard/core'
import type { StoredRecord } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createTestEngine } from '@halyard/testing'
import { expect } from 'vitest'

/** Returns a back-up as one string. */
export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

/** Returns the lines of a back-up, without the empty string after the last. */
export const linesOf = (text: string) => text.trimEnd().split('\n')

/** Makes a back-up of these lines, with a correct footer. */
export function sealed(lines: readonly string[], footer: object = {}): string {
  const text = lines.map((line) => `${line}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  const kinds = lines.slice(1).map((line) => (JSON.parse(line) as { kind: string }).kind)
  const count = (kind: string) => kinds.filter((recordKind) => recordKind === kind).length
  const records = { document: count('document'), member: count('member'), sample: count('sample'), task: count('task') }
  return `${text}${JSON.stringify({ kind: 'end', records, leftOut: {}, sha256, ...footer })}\n`
}

/** First line of a back-up with secrets. */
export const header = '{"format":"halyard","version":1,"secrets":true}'

/** Makes a line with a project. */
export const project = (key: string, overrides: object = {}) =>
  JSON.stringify({
    kind: 'document',
    collection: 'project',
    scope: '',
    key,
    version: 1,
    body: { version: 1, key, name: key, tags: [], createdAt: 1 },
    ...overrides,
  })

/** Token of the administrator of an imported account. */
export const token = 'a-token-of-an-administrator'

/** Result of {@link filledAccount}. */
export interface FilledAccount {
  readonly engine: Engine
  readonly as: string
  readonly secrets: readonly string[]
}

/** Makes an engine with resources that have secrets, and returns those secrets. */
export async function filledAccount(): Promise<FilledAccount> {
  const engine = await createTestEngine()
  const as = engine.admin
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
  await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  await api.createSegment({ ...environmentKeys, body: { key: 'big', name: 'Big', unbounded: true } }, { as })
  const body = { included: { add: ['u1', 'u2'] } }
  await api.updateBigSegmentTargets({ ...environmentKeys, segmentKey: 'big', body }, { as })
  const environment = await api.getEnvironment(environmentKeys, { as })
  const sdkKey = await api.postSdkKey({ ...environmentKeys, body: { key: 'billing', name: 'Billing' } }, { as })
  const hook = { url: 'https://example.com/hook', sign: true, on: true, name: 'Hook', secret: 'secret-of-the-webhook' }
  await api.createWebhook({ body: hook }, { as })
  await api.createWebhook({ body: { ...hook, name: 'Unsigned', sign: false, secret: undefined } as never }, { as })
  const config = { project: 'p', topic: 't', apiKey: 'secret-of-the-destination' }
  const destination = { name: 'Out', kind: 'segment', config: { writeKey: config.apiKey }, on: true } as const
  await api.createDestination({ ...environmentKeys, body: destination }, { as })
  const client = await api.createOAuthClient(
    { body: { name: 'Client', redirectUri: 'https://example.com/back', description: '' } },
    { as },
  )
  const createdToken = await api.createToken({ body: { name: 'Second', role: 'reader' } }, { as })
  const engineSecrets = [
    as,
    environment.apiKey,
    environment.mobileKey,
    sdkKey.value,
    (client as { _clientSecret: string })._clientSecret,
  ]
  const secrets = [...engineSecrets, createdToken.token as string, hook.secret, config.apiKey]
  for (const secret of secrets) expect(secret).toMatch(/.{16}/)
  return { engine, as, secrets }
}

/** Makes an engine on an empty storage. */
export function emptyEngine(storage = createMemoryStorage(), clock = () => 1_800_000_000_000) {
  return { storage, engine: createEngine({ storage, clock, rateLimit: false }) }
}

/** Returns the error with which a call fails. */
export async function failure(work: Promise<unknown>): Promise<ApiError> {
  return work.then(
    () => expect.fail('the call succeeded, but was expected to fail'),
    (error: ApiError) => error,
  )
}

/** Returns all stored records. */
export async function recordsIn(storage: ReturnType<typeof createMemoryStorage>): Promise<StoredRecord[]> {
  const all: StoredRecord[] = []
  for await (const chunk of storage.account('default').dump()) all.push(...chunk)
  return all
}
