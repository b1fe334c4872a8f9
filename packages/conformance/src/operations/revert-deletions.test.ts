import type { Operation } from '@halyard/core/operations'
import { describe, expect, it } from 'vitest'
import type { TransportRequest } from '../transport/transport-harness.ts'
import { requestOf } from './operation-fixture.ts'
import { openRestorableAccount } from './restorable-account.ts'
import { type AccountResponses, accountResponses, parametersOf, responseDifferences } from './test/account-responses.ts'
import { irreversibleOperations } from './test/irreversible-operations.ts'
import { parametersOfDocuments } from './test/logged-state.ts'
import { openWalk } from './test/walk/checked-walk.ts'

const writes = process.env.HALYARD_LONG_TESTS ? 1_500 : 200
const seed = Number(process.env.HALYARD_TEST_SEED ?? 20_240_229)

/** Maximum number of resources of a kind that are deleted, each in the same state. */
const maxDeletions = process.env.HALYARD_LONG_TESTS ? 20 : 1

const account = await openRestorableAccount()
const { operations } = account.engine
const walk = await openWalk({ operations, clients: [account], account: account.account, seed, reversible: true })
await walk.run(writes)
const restore = account.saveState()
const documents = await parametersOfDocuments(account.account)
const before = await walk.responses()
const revertEntry = operations.find(({ id }) => id === 'revertChangeLogEntry') as Operation

/** Returns the number of documents at and under the address that some parameters name. */
function countContents(params: Readonly<Record<string, string>>): number {
  return documents.filter((keys) => Object.entries(params).every(([name, value]) => keys[name] === value)).length
}

/**
 * Returns a request that deletes a resource, for each existing resource. Resources with the most contents come first.
 */
function deletionsBy(operation: Operation) {
  const query = Object.fromEntries(
    ['detach', 'bypassRequiredApproval']
      .filter((name) => name in ((operation.query as { readonly entries?: object } | undefined)?.entries ?? {}))
      .map((name) => [name, 'true']),
  )
  return parametersOf(operation, documents)
    .toSorted((a, b) => countContents(b) - countContents(a))
    .map((params) => requestOf(operation, { params, query }))
}

const deleting = operations.filter(({ id, method }) => method === 'DELETE' && !(id in irreversibleOperations))

/** Deletes a resource and reverts the deletion. Returns false when the resource cannot be deleted. */
async function isRestored(request: TransportRequest, expected: () => AccountResponses | Promise<AccountResponses>) {
  const responses = await expected()
  const { status } = await account.send(request)
  if (status >= 300) return false
  const [entry] = await account.account.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 1 })
  const params = { id: `${entry?.at.toString(36)}-${entry?.id}` }
  const query = { bypassRequiredApproval: 'true' }
  const reverted = await account.send(requestOf(revertEntry, { params, query, body: {} }))
  expect(reverted.status, `${request.path}: ${reverted.body}`).toBe(201)
  const after = await accountResponses(operations, account, account.account)
  expect(walk.differences(responses, after), request.path).toEqual([])
  return true
}

describe.each(deleting.map((operation) => ({ operation, id: operation.id })))('$id', ({ operation }) => {
  it('is undone by a revert, after which all responses equal those before the deletion', async () => {
    let count = 0
    for (const request of deletionsBy(operation)) {
      restore()
      if (await isRestored(request, () => before)) count++
      if (count === maxDeletions) return
    }
    if (count > 0) return
    restore()
    // After the walk, no resource exists that this operation could delete.
    const request = requestOf(operation, await account.exampleOf(operation, account.newContext()))
    const isDone = await isRestored(request, () => accountResponses(operations, account, account.account))
    expect(isDone).toBe(true)
  })
})

it('a deletion is undone in an account with many resources', () => {
  expect(responseDifferences(before, new Map()).length).toBeGreaterThan(500)
})
