import { ApiError, type CommittedChange, type PendingChange } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import type { StoredRecord } from '@halyard/core/storage'
import { afterAll, describe, expect, it } from 'vitest'
import { requestOf } from './operation-fixture.ts'
import { openRestorableAccount } from './restorable-account.ts'

const calls: { before: PendingChange[]; after: CommittedChange[]; isRefusing: boolean } = {
  before: [],
  after: [],
  isRefusing: false,
}

const account = await openRestorableAccount(undefined, {
  hooks: {
    beforeCommit(change) {
      calls.before.push(change)
      if (calls.isRefusing) throw new ApiError('forbidden', { message: 'Changes are frozen' })
    },
    afterCommit(change) {
      calls.after.push(change)
    },
  },
})
const restoreEmpty = account.saveState()
afterAll(() => account.close())

/** Returns all stored records except the times at which tokens were used, which every request updates. */
async function storedRecords(): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = []
  for await (const chunk of account.account.dump()) records.push(...chunk)
  return records.filter((record) => record.kind !== 'document' || record.id.collection !== 'token-use')
}

/** Returns the ids of the entries of the change log, oldest first. */
function entryIds(records: readonly StoredRecord[]): readonly string[] {
  return records.flatMap((record) =>
    record.kind === 'sample' && record.series.name === 'change-log'
      ? [`${record.sample.at.toString(36)}-${record.sample.id}`]
      : [],
  )
}

const writing = account.engine.operations
  .filter(({ method }) => method !== 'GET')
  .map((operation) => [operation.id, operation] as const)

/**
 * Operations that add no entry to the change log, because they ingest data, schedule deliveries of entries, or only
 * compute. The example of `copyFlag` changes nothing.
 */
const unlogged = [
  'copyFlag',
  'createBigSegmentExport',
  'countChangeLog',
  'createCommits',
  'createContextInstances',
  'createExtinctions',
  'createFlagEvents',
  'createLeadTimeSamples',
  'evaluateContextInstance',
  'generateTrustPolicy',
  'getContextInstanceSegmentsMembershipByEnv',
  'postMigrationSafetyIssues',
  'putBranch',
  'replayDestination',
  'replayWebhook',
  'replayWebhookDelivery',
  'searchChangeLog',
  'searchContextInstances',
  'searchContexts',
  'testWebhook',
]

/** Operations that call `beforeCommit` as for a change, and commit nothing. */
const simulating = ['simulateChanges']

describe.each(writing)('%s', (id, operation: Operation) => {
  it('writes nothing when a hook refuses it, and calls the hooks once for its change log entry', async () => {
    restoreEmpty()
    const example = await account.exampleOf(operation, account.newContext())
    const before = await storedRecords()
    Object.assign(calls, { before: [], after: [], isRefusing: true })
    const refused = await account.send(requestOf(operation, example))
    calls.isRefusing = false
    const afterRefusal = await storedRecords()
    const known = new Set(entryIds(before))
    const newIds = (records: readonly StoredRecord[]) => entryIds(records).filter((entry) => !known.has(entry))
    expect({ [id]: refused.status }).toEqual({ [id]: unlogged.includes(id) ? operation.success.status : 403 })
    if (unlogged.includes(id)) return expect([newIds(afterRefusal), calls.before]).toEqual([[], []])
    expect(afterRefusal).toEqual(before)
    expect(calls.after).toEqual([])
    expect(JSON.parse(refused.body)).toEqual({ code: 'forbidden', message: 'Changes are frozen' })

    calls.before.splice(0)
    const response = await account.send(requestOf(operation, example))
    expect(response.status, response.body).toBe(operation.success.status)
    const logged = newIds(await storedRecords())
    if (simulating.includes(id)) {
      expect([logged, calls.before.length, calls.after]).toEqual([[], 1, []])
      return
    }
    expect(logged).toHaveLength(1)
    expect(calls.before.map((change) => change.id)).toEqual(logged)
    expect(calls.after.map((change) => change.id)).toEqual(logged)
  })
})
