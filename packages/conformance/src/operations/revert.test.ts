import { createEngine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createDeterministicHost } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { inProcessHarness } from '../transport/in-process-harness.ts'
import { adminToken, seededNow } from '../transport/seeded-engine.ts'
import type { TransportClient } from '../transport/transport-harness.ts'
import type { Example, ExampleContext } from './example.ts'
import { examples } from './examples/index.ts'
import { requestOf, settings } from './operation-fixture.ts'
import { accountResponses, responseDifferences } from './test/account-responses.ts'
import { irreversibleOperations } from './test/irreversible-operations.ts'
import { changedCollections } from './test/logged-state.ts'

const writingMethods = ['POST', 'PUT', 'PATCH', 'DELETE']

/** An account in memory whose clock advances with each call. */
async function openAccount() {
  const storage = createMemoryStorage()
  const { newId, randomHex } = createDeterministicHost(seededNow)
  let now = seededNow
  const engine = createEngine({ ...settings, storage, clock: () => now++, newId, randomHex, rateLimit: false })
  await engine.bootstrap({ token: adminToken })
  const client: TransportClient = await inProcessHarness.open(engine)
  const byId = new Map(engine.operations.map((operation) => [operation.id, operation]))
  let count = 0
  const context: ExampleContext = {
    newKey: () => `p${++count}`,
    async call<Body>(id: string, input?: Example) {
      const response = await send(id, input ?? (await exampleOf(id)))
      const { status } = (byId.get(id) as Operation).success
      if (response.status !== status) throw new Error(`${id}: ${response.status} ${response.body}`)
      return (response.body === '' ? {} : JSON.parse(response.body)) as Body
    },
  }
  const send = (id: string, example: Example) => client.send(requestOf(byId.get(id) as Operation, example))
  const exampleOf = async (id: string): Promise<Example> => (examples[id] as (typeof examples)[string])(context)
  const account = storage.account('default')
  return {
    send,
    exampleOf,
    responses: () => accountResponses(engine.operations, client, account),
    async newestEntry() {
      const [entry] = await account.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 1 })
      return entry && { ...entry, entryId: `${entry.at.toString(36)}-${entry.id}` }
    },
    revert: (id: string) => send('revertChangeLogEntry', { params: { id }, body: {} }),
  }
}

const writing = (await createEngine({ storage: createMemoryStorage() }).definitions()).filter(
  ({ method, dry }) => writingMethods.includes(method) && !dry,
)

/** Operations whose examples leave no entry in the change log, with the reasons. */
const withoutEntry: Readonly<Record<string, string>> = {
  copyFlag: 'the example copies a configuration onto an equal one',
  createBigSegmentExport: 'an export changes nothing that callers change',
  generateTrustPolicy: 'the identity of an environment is made once and kept',
  createFlagEvents: 'events are measurements',
  createContextInstances: 'contexts are reported, not configured',
  createLeadTimeSamples: 'samples are measurements',
  createCommits: 'commits are measurements',
  putBranch: 'branches are measurements',
  createExtinctions: 'extinctions are measurements',
  replayDestination: 'a delivery changes nothing that callers change',
  replayWebhook: 'a delivery changes nothing that callers change',
  replayWebhookDelivery: 'a delivery changes nothing that callers change',
  testWebhook: 'a test sends a request and stores nothing',
}

const sdkKeyValue = /\/sdk-keys\b.*\/value: /

const relayKey = /\/displayKey: /

const environmentSecrets = new RegExp(`/(apiKey|mobileKey): |${sdkKeyValue.source}`)

/**
 * Differences that remain after a revert. Secrets are new, because the change log contains no secrets, and the counts
 * of requests are not reverted.
 */
const remainingDifferences: Readonly<Record<string, RegExp>> = {
  createProject: environmentSecrets,
  createEnvironment: environmentSecrets,
  createWebhook: /\/secret: /,
  deleteProject: environmentSecrets,
  deleteEnvironment: environmentSecrets,
  deleteWebhook: /\/secret: /,
  postSdkKey: sdkKeyValue,
  deleteSdkKeyByKey: sdkKeyValue,
  postRelayAutoConfig: relayKey,
  deleteRelayAutoConfig: relayKey,
  invokeFlagTrigger: /\/_triggerCount: /,
}

/** Operations whose revert deletes data that cannot be restored, so that the revert itself cannot be reverted. */
const finalReverts: Readonly<Record<string, string>> = {
  createToken: 'a deleted token cannot be restored',
  createOAuthClient: 'a deleted OAuth client cannot be restored',
  createOAuthGrant: 'a deleted OAuth grant cannot be restored',
  createDestination: 'a deleted destination cannot be restored',
  createRepository: 'a deleted code reference repository cannot be restored',
}

describe('the revert of the entry of an example', () => {
  it.each(writing.filter(({ id }) => !(id in withoutEntry)).map(({ id }) => id))(
    'undoes the call of %s',
    async (id) => {
      const account = await openAccount()
      const example = await account.exampleOf(id)
      const before = await account.responses()
      const earlier = await account.newestEntry()
      const called = await account.send(id, example)
      expect(called.status, called.body).toBeLessThan(300)
      const entry = await account.newestEntry()
      expect(entry?.id).not.toBe(earlier?.id)
      const changed = await account.responses()
      const reverted = await account.revert(entry?.entryId ?? '')
      const after = await account.responses()
      const reason = irreversibleOperations[id]
      if (reason !== undefined) {
        const message = `This entry cannot be reverted: ${reason}`
        expect(JSON.parse(reverted.body)).toEqual({ code: 'invalid_request', message })
        expect(responseDifferences(changed, after).join('\n')).toBe('')
        return
      }
      expect(reverted.status, reverted.body).toBe(201)
      expect(
        responseDifferences(before, after)
          .filter((line) => !remainingDifferences[id]?.test(line))
          .join('\n'),
      ).toBe('')
      const revertEntry = await account.newestEntry()
      const second = await account.revert(entry?.entryId ?? '')
      expect(second.status, second.body).toBe(409)
      const redone = await account.revert(revertEntry?.entryId ?? '')
      if (id in finalReverts) {
        expect(redone.body).toContain(finalReverts[id])
        return
      }
      expect(redone.status, redone.body).toBe(201)
      const again = await account.responses()
      expect(
        responseDifferences(changed, again)
          .filter((line) => !remainingDifferences[id]?.test(line))
          .join('\n'),
      ).toBe('')
    },
  )

  it.each(Object.keys(withoutEntry))('is impossible for %s, which leaves no entry', async (id) => {
    const account = await openAccount()
    const example = await account.exampleOf(id)
    const earlier = await account.newestEntry()
    const called = await account.send(id, example)
    expect(called.status, called.body).toBeLessThan(300)
    expect((await account.newestEntry())?.id).toBe(earlier?.id)
  })
})

describe('the rules by which changes are undone', () => {
  it('exist for every collection whose documents callers can change', async () => {
    const operations = await createEngine({ storage: createMemoryStorage() }).definitions()
    const declared = new Set(operations.flatMap(({ undo = [] }) => undo.map(({ collection }) => collection.name)))
    expect(changedCollections.filter((name) => !declared.has(name))).toEqual([])
  })

  it('declare only existing operations as irreversible', () => {
    const ids = new Set(writing.map(({ id }) => id))
    expect(Object.keys(irreversibleOperations).filter((id) => !ids.has(id))).toEqual([])
  })
})
