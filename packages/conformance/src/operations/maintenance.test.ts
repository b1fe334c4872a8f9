import { expect, it } from 'vitest'
import { requestOf } from './operation-fixture.ts'
import { openRestorableAccount } from './restorable-account.ts'
import { checkReplay, storedDocuments } from './test/walk/checked-walk.ts'

const yearMs = 366 * 24 * 60 * 60 * 1000

it('maintenance adds a change log entry whenever it changes a property that callers can change', async () => {
  let ahead = 0
  const account = await openRestorableAccount(undefined, { clock: () => Date.UTC(2026, 0, 2) + ahead })
  const initial = await storedDocuments(account.account)
  const restoreEmpty = account.saveState()
  const untouched: string[] = []
  for (const operation of await account.engine.definitions()) {
    if (operation.method === 'GET' || operation.dry) continue
    restoreEmpty()
    ahead = 0
    const { status } = await account.send(
      requestOf(operation, await account.exampleOf(operation, account.newContext())),
    )
    if (status >= 300) untouched.push(operation.id)
    ahead = yearMs
    await account.engine.compact()
    await checkReplay({ account: account.account, initial })
  }
  expect(untouched).toEqual([])
  await account.close()
})
