import { createEngine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import type { Decision } from '@halyard/core/policy'
import type { AccountStorage, Sample } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inProcessHarness } from '../transport/in-process-harness.ts'
import type { TransportRequest, TransportResponse } from '../transport/transport-harness.ts'
import type { Example, ExampleContext } from './example.ts'
import { examples } from './examples/index.ts'
import { mutatedRequests } from './mutated-requests.ts'
import { integrations, requestOf, withHeaders } from './operation-fixture.ts'
import {
  describesChange,
  isChanged,
  type LoggedChange,
  type LoggedState,
  loggableBody,
  type StoredDocument,
  stateOf,
} from './test/logged-state.ts'
import { statementOfEachAction } from './test/statement-of-each-action.ts'

interface Entry {
  readonly operation: string
  readonly sentences: readonly string[]
  readonly caller: { readonly memberId?: string; readonly tokenId?: string }
  readonly comment?: string
  readonly changes: readonly LoggedChange[]
  readonly besides?: readonly { readonly action: string }[]
}

interface WatchedFixture extends ExampleContext {
  readonly operations: readonly Operation[]
  readonly account: AccountStorage
  readonly secrets: Set<string>
  /** Sends a request, and asserts that the change log describes its effects. */
  send(operation: Operation, request: TransportRequest, body: unknown): Promise<TransportResponse>
}

async function createWatchedFixture(): Promise<WatchedFixture> {
  const storage = createMemoryStorage()
  const account = storage.account('default')
  const randomTexts = new Set<string>()
  let decisions: Decision[] = []
  let now = Date.UTC(2026, 0, 2)
  let secretCount = 0
  const engine = createEngine({
    storage,
    clock: () => now++,
    randomHex: (bytes) => {
      const hex = `${(++secretCount).toString(16).padStart(6, '0')}`.padEnd(bytes * 2, 'feedc0de5ec2e7ab')
      if (bytes >= 16) randomTexts.add(hex)
      return hex
    },
    rateLimit: false,
    onDecision: (decision) => decisions.push(decision),
    dataExportRoleArn: 'arn:aws:iam::123456789012:role/data-export',
    integrations,
  })
  await engine.bootstrap({ token: 'api-administrator-0001' })
  const client = await inProcessHarness.open(engine)
  const secrets = new Set<string>(['api-administrator-0001'])
  const byId = new Map((await engine.definitions()).map((operation) => [operation.id, operation]))
  let state = await stateOf(account)
  let newestKnownId: string | undefined
  let count = 0

  async function newEntries(): Promise<Sample[]> {
    const newest = await account.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 5 })
    const knownIndex = newest.findIndex(({ id }) => id === newestKnownId)
    const added = knownIndex < 0 ? newest : newest.slice(0, knownIndex)
    newestKnownId = newest[0]?.id ?? newestKnownId
    return added
  }

  let token: string | undefined
  const signed = (request: TransportRequest) =>
    token === undefined ? request : withHeaders(request, { authorization: token })

  async function send(operation: Operation, request: TransportRequest, body: unknown): Promise<TransportResponse> {
    decisions = []
    const startedAt = now
    const response = await client.send(signed(request))
    const before = state
    const after = await stateOf(account)
    state = after
    const entries = await newEntries()
    const documentIds = new Set([...before.keys(), ...after.keys()])
    const changedIds = [...documentIds].filter((documentId) => isChanged(before.get(documentId), after.get(documentId)))
    const label = `${operation.id}: ${response.status} ${response.body.slice(0, 300)}`
    collectSecrets(response.body === '' || response.body[0] !== '{' ? {} : JSON.parse(response.body))
    // Each of the combined operations has an entry of its own; the random walk replays those.
    if (byId.get(operation.id)?.combines === true && !operation.dry && response.status < 300) {
      expect(response.body, label).toMatch(/^\{"items":/)
      for (const { body: combined } of entries) expect(response.body, label).toContain((combined as Entry).operation)
      return response
    }
    expect(entries.length, label).toBeLessThanOrEqual(1)
    const entry = entries[0]?.body as Entry | undefined
    if (response.status >= 400) {
      expect(changedIds, label).toEqual([])
      expect(entry, label).toBeUndefined()
      return response
    }
    if (!entry) {
      if (changedIds.length > 0) logErrors.add(`${operation.id}: changed ${changedIds[0]} and has no entry`)
      return response
    }
    expect(entry.operation, label).toBe(operation.id)
    expect(entry.sentences, label).not.toEqual([])
    expect(entries[0]?.at, label).toBeGreaterThanOrEqual(startedAt)
    // The caller of an anonymous operation has no token; its author is known.
    if (!('anonymous' in operation.access)) expect(entry.caller.tokenId, label).toBeDefined()
    expect(entry.caller.memberId, label).toBeDefined()
    const { comment } = (typeof body === 'object' && body !== null ? body : {}) as { comment?: unknown }
    if (typeof comment === 'string' && comment !== '') expect(entry.comment, label).toBe(comment)
    expectReplay(entry, before, after, changedIds, label)
    expectActions(operation, entry)
    return response
  }

  function expectReplay(
    entry: Entry,
    before: LoggedState,
    after: LoggedState,
    changedIds: readonly string[],
    label: string,
  ): void {
    const unexplained = new Set(changedIds)
    for (const change of entry.changes) {
      if (change.members) {
        expect(change.patch, label).toEqual([])
        expect([...change.members.added, ...change.members.removed], label).not.toEqual([])
        continue
      }
      const documentId = [...unexplained].find((id) => {
        const [previous, is] = [before.get(id), after.get(id)]
        const { collection, resource } = (is ?? previous) as StoredDocument
        return (
          collection.name === change.kind &&
          resource === change.resource &&
          describesChange(change, loggableBody(previous), loggableBody(is))
        )
      })
      if (!documentId) logErrors.add(`${entry.operation}: logs a change that did not happen: ${JSON.stringify(change)}`)
      unexplained.delete(documentId as string)
    }
    const removed = changedIds
      .filter((id) => !unexplained.has(id) && !after.has(id))
      .map((id) => before.get(id) as StoredDocument)
    // Collections with many documents are logged as a set of keys: the `runs` of an optimization, and all records that
    // belong to these runs.
    const emptied = entry.changes.filter(({ members }) => members && members.removed.length > 0)
    // Thousands of documents that other systems ingest are logged as a set too: `deployments` of an environment.
    const ingestedSets = new Set(entry.changes.flatMap(({ members }) => (members?.added.length ? members.set : [])))
    for (const id of unexplained) {
      const previous = before.get(id)
      if (after.has(id) && ingestedSets.has(`${after.get(id)?.collection.name}s`)) continue
      if (!after.has(id) && emptied.some(({ resource }) => resource === previous?.resource)) continue
      const removedWithParent =
        !after.has(id) && removed.some(({ address }) => `${previous?.scope}:`.startsWith(`${address}:`))
      if (!removedWithParent)
        logErrors.add(
          `${entry.operation}: does not log ${id}, which was ${JSON.stringify(loggableBody(previous))} and is ${JSON.stringify(loggableBody(after.get(id)))}`,
        )
    }
  }

  /** The caller has one statement for each action, so each decision shows which action was checked. */
  function expectActions({ access }: Operation, entry: Entry): void {
    const requestedActions = new Set(
      decisions
        .flatMap(({ allowed, statement }) => (allowed && statement?.actions?.length === 1 ? statement.actions : []))
        .filter((action) => action !== '*'),
    )
    if (requestedActions.size === 0) return
    const loggedActions = new Set([
      ...entry.changes.flatMap(({ actions }) => actions),
      ...(entry.besides ?? []).map(({ action }) => action),
    ])
    // For access to the operation one of several actions is sufficient; the action that the change needs is checked
    // when the change is known.
    const choice = 'action' in access && typeof access.action !== 'string' ? access.action : []
    const missingActions = [...requestedActions].filter(
      (action) =>
        !loggedActions.has(action) &&
        !action.startsWith('view') &&
        !choice.includes(action) &&
        !broaderChecks[entry.operation],
    )
    actionErrors.push(
      ...[...loggedActions]
        .filter((action) => !requestedActions.has(action))
        .map((id) => `${entry.operation}: ${id} is logged but was not checked`),
    )
    actionErrors.push(...missingActions.map((id) => `${entry.operation}: ${id} was checked but is not logged`))
  }

  function collectSecrets(value: unknown, name = ''): void {
    if (typeof value === 'string') {
      const random = [...randomTexts].some((hex) => value.includes(hex))
      if (random && name !== 'salt' && name !== 'sel') secrets.add(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [propertyName, id] of Object.entries(value))
        collectSecrets(id, Array.isArray(value) ? name : propertyName)
    }
  }

  async function exampleOf(id: string): Promise<Example> {
    const makeExample = examples[id]
    if (!makeExample) throw new Error(`no example of ${id}`)
    return makeExample(watchedFixture)
  }

  const watchedFixture: WatchedFixture & { exampleOf(id: string): Promise<Example> } = {
    operations: engine.operations,
    account,
    secrets,
    send,
    exampleOf,
    newKey: () => `p${++count}`,
    async call<Body>(id: string, input?: Example) {
      const operation = byId.get(id) as Operation
      const example = input ?? (await exampleOf(id))
      const response = await send(operation, requestOf(operation, example), example.body)
      if (response.status !== operation.success.status) throw new Error(`${id}: ${response.status} ${response.body}`)
      return (response.body === '' ? {} : JSON.parse(response.body)) as Body
    },
  }
  const statements = statementOfEachAction()
  const customRoleIds: string[] = []
  for (let start = 0; start < statements.length; start += 50) {
    const key = `all-${start}`
    await watchedFixture.call('createRole', { body: { key, name: key, policy: statements.slice(start, start + 50) } })
    customRoleIds.push(key)
  }
  token = (await watchedFixture.call<{ token: string }>('createToken', { body: { name: 'All', customRoleIds } })).token
  return watchedFixture
}

/** Operations that check more actions than the change needs, with the reasons. */
const broaderChecks: Readonly<Record<string, string>> = {
  createScheduledChange: 'the author of a scheduled change must be permitted to make the change',
  patchScheduledChange: 'the author of a scheduled change must be permitted to make the change',
  postWorkflow: 'the author of a workflow must be permitted to apply its stages',
  createFlagTrigger: 'the author of a trigger must be permitted to turn the flag on or off',
  patchFlagTrigger: 'the author of a trigger must be permitted to turn the flag on or off',
  createTeam: 'a caller that lets others manage the team must have their permissions',
  patchToken:
    "one of several actions is sufficient for access; the handler checks it, because the path does not contain the token's owner",
}

const actionErrors: string[] = []
const logErrors = new Set<string>()

const writingMethods = ['POST', 'PUT', 'PATCH', 'DELETE']

describe('the change log of random calls of all operations', () => {
  it('contains exactly the changes that happened, and no secret', async () => {
    const ids = createEngine({ storage: createMemoryStorage() })
      .operations.filter(({ method }) => writingMethods.includes(method))
      .map(({ id }) => id)
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(ids, { minLength: 25, maxLength: 25 }), async (order) => {
        const fixture = await createWatchedFixture()
        for (const id of order) {
          const operation = fixture.operations.find((candidate) => candidate.id === id) as Operation
          const example = await (fixture as never as { exampleOf(id: string): Promise<Example> }).exampleOf(id)
          const request = requestOf(operation, example)
          await fixture.send(operation, request, example.body)
          // The repeated request is refused, or changes nothing, or changes something else.
          await fixture.send(operation, request, example.body)
          for (const mutated of mutatedRequests(operation, example, 4))
            await fixture.send(operation, mutated, undefined)
        }
        const entries = await fixture.account.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 100_000 })
        const text = JSON.stringify(entries)
        expect([...fixture.secrets].filter((secret) => text.includes(secret))).toEqual([])
      }),
      { numRuns: 8, endOnFailure: true },
    )
    expect([...logErrors].sort()).toEqual([])
    expect([...new Set(actionErrors)].sort()).toEqual([])
  }, 120_000)
})
