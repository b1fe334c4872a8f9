import { createEngine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import type { Decision } from '@halyard/core/policy'
import type { AccountStorage, Sample } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inProcess } from '../transport/in-process-line.ts'
import type { LineAnswer, LineRequest } from '../transport/transport-harness.ts'
import type { Example, Examples } from './example.ts'
import { examples } from './examples/index.ts'
import { mutatedRequests } from './mutated-requests.ts'
import { type LoggedChange, type State, type Stored, shown, stateOf, tells } from './test/logged-state.ts'
import { statementOfEachAction } from './test/statement-of-each-action.ts'
import { requestOf, withHeaders } from './world.ts'

interface Entry {
  readonly operation: string
  readonly description: string
  readonly caller: { readonly memberId?: string; readonly tokenId?: string }
  readonly comment?: string
  readonly changes: readonly LoggedChange[]
  readonly besides?: readonly { readonly action: string }[]
}

interface Watched extends Examples {
  readonly operations: readonly Operation[]
  readonly account: AccountStorage
  readonly secrets: Set<string>
  /** Sends a request, and asserts that the change log describes its effects. */
  send(operation: Operation, request: LineRequest, body: unknown): Promise<LineAnswer>
}

async function watchedWorld(): Promise<Watched> {
  const storage = createMemoryStorage()
  const account = storage.account('default')
  const made = new Set<string>()
  let decided: Decision[] = []
  let now = Date.UTC(2026, 0, 2)
  let secretsMade = 0
  const engine = createEngine({
    storage,
    clock: () => now++,
    randomHex: (bytes) => {
      const hex = `${(++secretsMade).toString(16).padStart(6, '0')}`.padEnd(bytes * 2, 'feedc0de5ec2e7ab')
      if (bytes >= 16) made.add(hex)
      return hex
    },
    rateLimit: false,
    onDecision: (decision) => decided.push(decision),
    dataExportRoleArn: 'arn:aws:iam::123456789012:role/data-export',
  })
  await engine.bootstrap({ token: 'api-administrator-0001' })
  const line = await inProcess.open(engine)
  const secrets = new Set<string>(['api-administrator-0001'])
  const byId = new Map(engine.operations.map((operation) => [operation.id, operation]))
  let state = await stateOf(account)
  let known: string | undefined
  let count = 0

  async function newEntries(): Promise<Sample[]> {
    const newest = await account.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 5 })
    const at = newest.findIndex(({ id }) => id === known)
    const added = at < 0 ? newest : newest.slice(0, at)
    known = newest[0]?.id ?? known
    return added
  }

  let token: string | undefined
  const signed = (request: LineRequest) =>
    token === undefined ? request : withHeaders(request, { authorization: token })

  async function send(operation: Operation, request: LineRequest, body: unknown): Promise<LineAnswer> {
    decided = []
    const began = now
    const answer = await line.send(signed(request))
    const before = state
    const after = await stateOf(account)
    state = after
    const entries = await newEntries()
    const places = new Set([...before.keys(), ...after.keys()])
    const changed = [...places].filter((place) => before.get(place)?.body !== after.get(place)?.body)
    const what = `${operation.id}: ${answer.status} ${answer.body.slice(0, 300)}`
    collectSecrets(answer.body === '' || answer.body[0] !== '{' ? {} : JSON.parse(answer.body))
    expect(entries.length, what).toBeLessThanOrEqual(1)
    const entry = entries[0]?.body as Entry | undefined
    if (answer.status >= 400) {
      expect(changed, what).toEqual([])
      expect(entry, what).toBeUndefined()
      return answer
    }
    if (!entry) {
      if (changed.length > 0) faults.add(`${operation.id}: changed ${changed[0]} and has no entry`)
      return answer
    }
    expect(entry.operation, what).toBe(operation.id)
    expect(operation.summary.startsWith(entry.description) && entry.description.length > 3, entry.description).toBe(
      true,
    )
    expect(entries[0]?.at, what).toBeGreaterThanOrEqual(began)
    expect(entry.caller.tokenId, what).toBeDefined()
    expect(entry.caller.memberId, what).toBeDefined()
    const { comment } = (typeof body === 'object' && body !== null ? body : {}) as { comment?: unknown }
    if (typeof comment === 'string' && comment !== '') expect(entry.comment, what).toBe(comment)
    expectReplay(entry, before, after, changed, what)
    expectActions(operation, entry)
    return answer
  }

  function expectReplay(entry: Entry, before: State, after: State, changed: readonly string[], what: string): void {
    const left = new Set(changed)
    for (const change of entry.changes) {
      if (change.members) {
        expect(change.patch, what).toEqual([])
        expect([...change.members.added, ...change.members.removed], what).not.toEqual([])
        continue
      }
      const place = [...left].find((one) => {
        const [was, is] = [before.get(one), after.get(one)]
        const { collection, resource } = (is ?? was) as Stored
        return collection.name === change.kind && resource === change.resource && tells(change, shown(was), shown(is))
      })
      if (!place) faults.add(`${entry.operation}: logs a change that did not happen: ${JSON.stringify(change)}`)
      left.delete(place as string)
    }
    const removed = changed.filter((one) => !left.has(one) && !after.has(one)).map((one) => before.get(one) as Stored)
    // Collections of many documents are logged as a set: `runs` of an optimization, and everything that is stored of
    // them.
    const emptied = entry.changes.filter(({ members }) => members && members.removed.length > 0)
    // Documents that other systems ingest by thousands are logged as a set too: `deployments` of an environment.
    const fed = new Set(entry.changes.flatMap(({ members }) => (members?.added.length ? members.set : [])))
    for (const one of left) {
      const was = before.get(one)
      if (after.has(one) && fed.has(`${after.get(one)?.collection.name}s`)) continue
      if (!after.has(one) && emptied.some(({ resource }) => resource === was?.resource)) continue
      const went = !after.has(one) && removed.some(({ address }) => `${was?.scope}:`.startsWith(`${address}:`))
      if (!went)
        faults.add(
          `${entry.operation}: does not log ${one}, which was ${JSON.stringify(shown(was))} and is ${JSON.stringify(shown(after.get(one)))}`,
        )
    }
  }

  /** The caller has one statement for each action, so each decision shows which action was checked. */
  function expectActions({ access }: Operation, entry: Entry): void {
    const asked = new Set(
      decided
        .flatMap(({ allowed, statement }) => (allowed && statement?.actions?.length === 1 ? statement.actions : []))
        .filter((action) => action !== '*'),
    )
    if (asked.size === 0) return
    const told = new Set([
      ...entry.changes.flatMap(({ actions }) => actions),
      ...(entry.besides ?? []).map(({ action }) => action),
    ])
    // For access to the operation one of several actions is sufficient; the action that the change needs is checked
    // when the change is known.
    const choice = 'action' in access && typeof access.action !== 'string' ? access.action : []
    const untold = [...asked].filter(
      (action) =>
        !told.has(action) && !action.startsWith('view') && !choice.includes(action) && !asksMore[entry.operation],
    )
    actionFaults.push(
      ...[...told].filter((action) => !asked.has(action)).map((one) => `${entry.operation}: ${one} is logged but was not checked`),
    )
    actionFaults.push(...untold.map((one) => `${entry.operation}: ${one} was checked but is not logged`))
  }

  function collectSecrets(value: unknown, name = ''): void {
    if (typeof value === 'string') {
      const random = [...made].some((hex) => value.includes(hex))
      if (random && name !== 'salt' && name !== 'sel') secrets.add(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, one] of Object.entries(value)) collectSecrets(one, Array.isArray(value) ? name : member)
    }
  }

  async function exampleOf(id: string): Promise<Example> {
    const maker = examples[id]
    if (!maker) throw new Error(`no example of ${id}`)
    return maker(world)
  }

  const world: Watched & { exampleOf(id: string): Promise<Example> } = {
    operations: engine.operations,
    account,
    secrets,
    send,
    exampleOf,
    fresh: () => `p${++count}`,
    async call<Body>(id: string, input?: Example) {
      const operation = byId.get(id) as Operation
      const example = input ?? (await exampleOf(id))
      const answer = await send(operation, requestOf(operation, example), example.body)
      if (answer.status !== operation.success.status) throw new Error(`${id}: ${answer.status} ${answer.body}`)
      return (answer.body === '' ? {} : JSON.parse(answer.body)) as Body
    },
  }
  const statements = statementOfEachAction()
  const customRoleIds: string[] = []
  for (let start = 0; start < statements.length; start += 50) {
    const key = `all-${start}`
    await world.call('createRole', { body: { key, name: key, policy: statements.slice(start, start + 50) } })
    customRoleIds.push(key)
  }
  token = (await world.call<{ token: string }>('createToken', { body: { name: 'All', customRoleIds } })).token
  return world
}

/** Operations that check more actions than the change needs, with the reasons. */
const asksMore: Readonly<Record<string, string>> = {
  createScheduledChange: 'the author of a scheduled change must be permitted to make the change',
  patchScheduledChange: 'the author of a scheduled change must be permitted to make the change',
  createTeam: 'a caller that lets others manage the team must have their permissions',
  patchToken:
    'one of several actions is sufficient for access; the handler checks it, because the path does not contain the token\'s owner',
}

const actionFaults: string[] = []
const faults = new Set<string>()

const writing = ['POST', 'PUT', 'PATCH', 'DELETE']

describe('the change log of random calls of all operations', () => {
  it('contains exactly the changes that happened, and no secret', async () => {
    const ids = createEngine({ storage: createMemoryStorage() })
      .operations.filter(({ method }) => writing.includes(method))
      .map(({ id }) => id)
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(ids, { minLength: 25, maxLength: 25 }), async (order) => {
        const world = await watchedWorld()
        for (const id of order) {
          const operation = world.operations.find((one) => one.id === id) as Operation
          const example = await (world as never as { exampleOf(id: string): Promise<Example> }).exampleOf(id)
          const request = requestOf(operation, example)
          await world.send(operation, request, example.body)
          // The repeated request is refused, or changes nothing, or changes something else.
          await world.send(operation, request, example.body)
          for (const mutated of mutatedRequests(operation, example, 4)) await world.send(operation, mutated, undefined)
        }
        const entries = await world.account.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 100_000 })
        const text = JSON.stringify(entries)
        expect([...world.secrets].filter((secret) => text.includes(secret))).toEqual([])
      }),
      { numRuns: 8, endOnFailure: true },
    )
    expect([...faults].sort()).toEqual([])
    expect([...new Set(actionFaults)].sort()).toEqual([])
  }, 120_000)
})
