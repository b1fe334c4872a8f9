import type { Operation } from '@halyard/core/operations'
import type { AccountStorage, Sample } from '@halyard/core/storage'
import { expect } from 'vitest'
import { adminToken } from '../../../transport/seeded-engine.ts'
import type { TransportClient } from '../../../transport/transport-harness.ts'
import { examples } from '../../examples/index.ts'
import { requestOf } from '../../operation-fixture.ts'
import { type AccountResponses, accountResponses, differencesOf, responseDifferences } from '../account-responses.ts'
import { irreversibleOperations } from '../irreversible-operations.ts'
import { loggableBody, stateOf } from '../logged-state.ts'
import { CommitOrder, changeLog } from './commit-order.ts'
import { RandomWalk, type WalkReport } from './random-walk.ts'
import { ingestedCollection, replayedEntries, withoutVersion } from './replayed-entries.ts'

export interface WalkedAccount {
  readonly operations: readonly Operation[]
  /** Processes that serve the account. */
  readonly clients: readonly TransportClient[]
  readonly account: AccountStorage
}

export interface Walk extends WalkedAccount {
  /** Documents that existed before the walk. */
  readonly initial: ReadonlyMap<string, unknown>
  run(writes: number): Promise<WalkReport>
  responses(): Promise<AccountResponses>
  differences(before: AccountResponses, after: AccountResponses): readonly string[]
  /**
   * Returns the entries of the walk in the order of their commits. Only a walk that is `reversible` records this order.
   */
  committed(): readonly Sample[]
  revert(entry: Sample, index: number): Promise<{ readonly status: number; readonly body: string }>
}

/**
 * Operations that a walk omits when its changes are going to be reverted. Operations whose entries cannot be reverted
 * are omitted too, without being listed here.
 */
const leftOut: Readonly<Record<string, string>> = {
  patchToken: 'the walk itself uses the tokens',
  createOAuthGrant: 'maintenance removes the grant when its code expires, and the change log contains no code',
  createDestination: 'its credentials are not restored with a deleted project, so that it is off',
  createBigSegmentExport: 'it needs a big segment, and the change log does not contain the keys of one',
}

/**
 * Operations that a walk omits when its changes are going to be reverted and workers of the engine are still completing
 * what a call began.
 */
const continuedByWorkers: Readonly<Record<string, string>> = {
  startAutomatedRelease: 'the worker moves the release on while its entries are reverted',
  createReleasePolicy: 'a flag that is turned on starts such a release',
  putPhaseStatus: 'a phase that is started starts such a release',
}

/** Secrets that are new after a deletion was reverted, because the change log contains none. */
const renewed = /\/(apiKey|mobileKey|secret|displayKey): |\/sdk-keys\b.*\/value: /

/**
 * Opens a walk by several callers over an account with an administrator.
 *
 * @param options `reversible`: leaves out operations whose entries cannot be reverted; `workers`: workers run too.
 */
export async function openWalk({
  operations,
  clients,
  account,
  seed,
  reversible = false,
  workers = false,
}: WalkedAccount & {
  readonly seed: number
  readonly reversible?: boolean
  readonly workers?: boolean
}): Promise<Walk> {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const call = (id: string, example: Parameters<typeof requestOf>[1], index = 0) =>
    (clients[index % clients.length] as TransportClient).send(requestOf(byId.get(id) as Operation, example))
  const initial = await storedDocuments(account)
  const tokens = [adminToken]
  for (const role of ['admin', 'writer'] as const) {
    const { body } = await call('createToken', { body: { name: role, role } })
    tokens.push((JSON.parse(body) as { token: string }).token)
  }
  const excluded = { ...irreversibleOperations, ...leftOut, ...(workers && continuedByWorkers) }
  const includes = (id: string) => !reversible || !(id in excluded)
  // Most calls are the administrator's, so that most succeed.
  const callers = [adminToken, adminToken, adminToken, ...tokens]
  const order = new CommitOrder(account)
  await order.read()
  const onWrite = () => (reversible ? order.read() : Promise.resolve())
  const walk = new RandomWalk({ operations, examples, clients, tokens: callers, seed, includes, onWrite })
  return {
    operations,
    clients,
    account,
    initial,
    async run(writes) {
      const report = await walk.run(writes)
      expect(report.failures).toEqual([])
      return report
    },
    responses: () => accountResponses(operations, clients[0] as TransportClient, account),
    differences: (before, after) => responseDifferences(before, after).filter((line) => !renewed.test(line)),
    committed: () => order.entries,
    revert: ({ at, id }, index) =>
      call(
        'revertChangeLogEntry',
        {
          params: { id: `${at.toString(36)}-${id}` },
          query: { bypassRequiredApproval: 'true' },
          body: { comment: 'back again' },
        },
        index,
      ),
  }
}

/** Returns the stored documents that callers can change, by collection, scope and key. */
export async function storedDocuments(account: AccountStorage): Promise<ReadonlyMap<string, unknown>> {
  return new Map(
    [...(await stateOf(account))]
      .filter(([, { collection }]) => collection.name !== ingestedCollection)
      .map(([name, document]) => [name, loggableBody(document)]),
  )
}

async function allEntries(account: AccountStorage): Promise<readonly Sample[]> {
  const all: Sample[] = []
  for (;;) {
    const last = all.at(-1)
    const before = last ? { before: { at: last.at, id: last.id } } : {}
    const page = await account.newest({ series: changeLog, limit: 1_000, ...before })
    all.push(...page)
    if (page.length < 1_000) return all
  }
}

/** Returns the change log, newest first, and the stored documents of the same moment. */
async function settledState(account: AccountStorage) {
  for (;;) {
    const entries = await allEntries(account)
    const stored = await storedDocuments(account)
    const [newest] = await account.newest({ series: changeLog, limit: 1 })
    // Maintenance changes documents also after the last call.
    if (newest?.id === entries[0]?.id) return { entries, stored }
  }
}

/** Asserts that the stored documents equal the documents that result from the change log. */
export async function checkReplay({ account, initial }: Pick<Walk, 'account' | 'initial'>): Promise<void> {
  const { entries, stored } = await settledState(account)
  const replayed = replayedEntries(entries.toReversed(), initial)
  const names = [...new Set([...replayed.keys(), ...stored.keys()])].filter(
    (name) => !name.startsWith(`${ingestedCollection}\n`),
  )
  const wrong = names.flatMap((name) => differencesOf(entryOf(name, stored), entryOf(name, replayed)))
  expect(wrong.slice(0, 3)).toEqual([])
}

function entryOf(name: string, documents: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  const document = documents.get(name)
  // The change log does not list writes that change only the version of a document.
  return new Map([
    [name.replaceAll('\n', ' '), document === undefined ? undefined : JSON.parse(withoutVersion(document))],
  ])
}

/**
 * Reverts all entries except the initial ones, in reverse order of their commits.
 *
 * @param onProgress called after each revert.
 */
export async function checkReverts(
  walk: Walk,
  kept: number,
  onProgress: (count: number, total: number) => void = () => {},
): Promise<number> {
  const { length } = await allEntries(walk.account)
  expect(walk.committed().length, 'entries whose place among the commits is known').toBe(length)
  const reverted = walk.committed().slice(kept).toReversed()
  for (const [index, entry] of reverted.entries()) {
    const { status, body } = await walk.revert(entry, index)
    const { operation, changes } = entry.body as { operation: string; changes: readonly { resource: string }[] }
    expect(status, `${index}: ${operation} of ${changes.map(({ resource }) => resource).join(' ')}: ${body}`).toBe(201)
    onProgress(index + 1, reverted.length)
  }
  return reverted.length
}
