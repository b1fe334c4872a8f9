import { createEngine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import type { AccountStorage, StoredRecord } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken } from '../transport/seeded-engine.ts'
import type { TransportRequest, TransportResponse } from '../transport/transport-harness.ts'
import type { Example } from './example.ts'
import { mutatedRequests } from './mutated-requests.ts'
import { requestOf, withHeaders } from './operation-fixture.ts'
import { openRestorableAccount, type RestorableAccount } from './restorable-account.ts'

let account: RestorableAccount
let restoreEmpty: () => void
let readerToken: string

beforeAll(async () => {
  account = await openRestorableAccount()
  const { call } = account.newContext()
  readerToken = (await call<{ token: string }>('createToken', { body: { name: 'Reader', role: 'reader' } })).token
  restoreEmpty = account.saveState()
})

afterAll(() => account.close())

const { operations } = await openRestorableAccount().then(({ engine }) => engine)
const writing = operations
  .filter(({ method }) => method !== 'GET')
  .map((operation) => [operation.id, operation] as const)

/** Returns all stored records except the times at which tokens were used, which every request updates. */
async function recordsOf(storage: AccountStorage): Promise<unknown[]> {
  const records: StoredRecord[] = []
  for await (const chunk of storage.dump()) records.push(...chunk)
  return records.filter((record) => record.kind !== 'document' || record.id.collection !== 'token-use')
}

function withParameter(request: TransportRequest, parameter: string): TransportRequest {
  return { ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}${parameter}` }
}

/**
 * Returns the part of a response that must be equal in a dry run and a commit. The parameter `dryRun` in links is left
 * out, and the id of the entry too, because only a commit assigns it.
 */
function shown({ status, headers, body }: TransportResponse) {
  const { etag, location } = headers
  return { status, etag, location, body: body.replaceAll(/[?&]dryRun=true|"entryId":"[^"]*"/g, '') }
}

/**
 * Sends a request as a dry run and then, in the same state, without that option. Asserts that only the second request
 * writes.
 */
async function compareDryRun(request: TransportRequest, label: string): Promise<TransportResponse> {
  const restore = account.saveState()
  const before = await recordsOf(account.account)
  const dry = await account.send(withParameter(request, 'dryRun=true'))
  expect(await recordsOf(account.account), `${label}: the dry run wrote`).toEqual(before)
  restore()
  const real = await account.send(request)
  expect(shown(dry), label).toEqual(shown(real))
  return real
}

async function prepared(operation: Operation): Promise<Example> {
  restoreEmpty()
  const example = await account.exampleOf(operation, account.newContext())
  await account.engine.api.createWebhook(
    { body: { url: 'https://example.com/hook', on: true, sign: false } },
    { as: { role: 'admin' } },
  )
  return example
}

/** Number of mutations of each operation's request. */
const mutations = process.env.HALYARD_LONG_TESTS ? 12 : 3

const isUpload = ({ body }: Operation) => body?.kind === 'upload'

describe.each(writing.filter(([, operation]) => !isUpload(operation)))('%s', (_, operation) => {
  it('with dryRun returns the response of the actual call, and writes nothing', async () => {
    const example = await prepared(operation)
    const request = requestOf(operation, example)
    const before = await recordsOf(account.account)
    const real = await compareDryRun(request, operation.id)
    expect(real.status, real.body).toBe(operation.success.status)
    // A second, identical call finds the effects of the first: a key in use, a deleted resource, or existing samples.
    await compareDryRun(request, `${operation.id} again`)
    expect(before.length).toBeGreaterThan(0)
  })

  it('with dryRun fails with the error of the actual call', async () => {
    const example = await prepared(operation)
    const request = requestOf(operation, example)
    for (const refused of [
      withHeaders(request, { authorization: readerToken }),
      withHeaders(request, { 'if-match': '"never"' }),
      ...mutatedRequests(operation, example, mutations),
    ]) {
      const restore = account.saveState()
      await compareDryRun(refused, `${operation.id} ${JSON.stringify(refused).slice(0, 500)}`)
      restore()
    }
  })
})

describe.each(writing)('%s', (_, operation) => {
  it('refuses an unknown parameter, and writes nothing', async () => {
    const request = requestOf(operation, await prepared(operation))
    const before = await recordsOf(account.account)
    for (const [parameter, attribute] of [
      ['drRun=true', 'drRun'],
      ['dryRun=yes', 'dryRun'],
      ['dryRun=', 'dryRun'],
      ...(isUpload(operation) ? [['dryRun=true', 'dryRun']] : []),
    ] as [string, string][]) {
      const response = await account.send(withParameter(request, parameter))
      expect(response.status, `${parameter}: ${response.body}`).toBe(400)
      const { errors } = JSON.parse(response.body) as { errors: { attribute: string }[] }
      expect(errors.map((error) => error.attribute)).toEqual([attribute])
    }
    expect(await recordsOf(account.account)).toEqual(before)
  })
})

describe.each(writing)('%s in process', (_, operation) => {
  it('refuses an unknown property of the input, and writes nothing', async () => {
    const { params, query, body } = await prepared(operation)
    const before = await recordsOf(account.account)
    const api = account.engine.api as unknown as Record<string, (input: object, options: object) => Promise<unknown>>
    // An example may serve several operations, and then has parameters of all of them.
    const pathEntries = Object.entries(params ?? {}).filter(([name]) => operation.path.includes(`{${name}}`))
    const input = { ...Object.fromEntries(pathEntries), ...query, ...(operation.body ? { body } : {}) }
    for (const [property, value] of [
      ['drRun', true],
      ['dryRun', 'yes'],
      ['dryRun', 1],
      ...(operation.body ? [] : [['body', {}]]),
    ] as [string, unknown][]) {
      const call = api[operation.id]?.({ ...input, [property]: value }, { as: adminToken })
      await expect(call).rejects.toMatchObject({ status: 400, errors: [{ attribute: property }] })
    }
    expect(await recordsOf(account.account)).toEqual(before)
  })
})

it('a dry run does not increase the counter in the ids of change log entries', async () => {
  const storage = createMemoryStorage()
  const engine = createEngine({ storage })
  const as = { role: 'owner' } as const
  const create = (key: string, dryRun = false) =>
    engine.api.createTeam({ body: { key, name: key }, ...(dryRun ? { dryRun } : {}) } as never, { as })
  await create('a')
  await create('b', true)
  await create('c')
  const entries = await storage.account('default').newest({ series: { name: 'change-log', scope: 'acct' }, limit: 9 })
  // The first eight digits of an id count the entries of an engine.
  const [second, first] = entries.map(({ id }) => Number.parseInt(id.slice(0, 8), 36))
  expect(entries).toHaveLength(2)
  expect(second).toBe((first ?? 0) + 1)
})
