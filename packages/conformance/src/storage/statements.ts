import type { AccountStorage, Change, StatementValue } from '@halyard/core/storage'
import { assert } from './assert.ts'
import type { StorageCaseContext, StorageCases } from './conformance-case.ts'

const id = { collection: 'flag', scope: 'proj/web', key: 'checkout' }
const insert: Change = { do: 'insert', id, body: { name: 'Checkout' }, fields: {} }
const statement = (text: string, ...values: StatementValue[]): Change => ({ do: 'run-statement', text, values })

/** A statement whose parameter every SQL database uses in a computation, and that fails for 0. */
const divide = (value: StatementValue): Change => statement('select 1 / cast($1 as integer)', value)

/**
 * Statements of the application in a commit. A storage without `runsStatements` must refuse them. The statements are
 * those of a database that names parameters `$1`.
 */
export const statementCases: StorageCases = {
  group: 'statements',
  cases: {
    'a batch with a statement is committed, or refused with a TypeError where the storage does not run statements':
      async ({ account }) => {
        const outcome = await outcomeOf(account, [insert, statement('select 1')])
        if (account.runsStatements) {
          assert.equal(outcomeIn(outcome), 'committed')
          assert.equal((await account.get(id))?.version, 1)
        } else {
          assert.isTrue(outcome instanceof TypeError, 'must be a TypeError')
          assert.isUndefined(await account.get(id))
        }
      },

    ...casesWithStatements({
      'a statement that fails undoes the batch, and its error is thrown': async ({ account }) => {
        const outcome = await outcomeOf(account, [insert, statement('select no_such_column')])
        assert.isTrue(outcome instanceof Error, 'must be thrown')
        assert.isUndefined(await account.get(id))
        assert.equal((await account.commit([insert])).outcome, 'committed')
      },

      'a statement receives the values of its parameters': async ({ account }) => {
        assert.isTrue((await outcomeOf(account, [insert, divide('0')])) instanceof Error, 'must divide by 0')
        assert.isUndefined(await account.get(id))
        assert.equal((await account.commit([insert, divide('1')])).outcome, 'committed')
      },

      'a batch with a statement and an unmet precondition is refused like a batch without the statement': async ({
        account,
      }) => {
        await account.commit([insert])
        assert.deepEqual(await account.commit([insert, statement('select 1')]), { outcome: 'exists', change: 0 })
        assert.deepEqual(await account.commit([statement('select 1'), insert]), { outcome: 'exists', change: 1 })
      },

      'a statement that fails does not affect other commits at the same time': async ({ account }) => {
        const keys = Array.from({ length: 20 }, (_, index) => ({ ...id, key: `flag ${index}` }))
        await Promise.all(
          keys.map((key, index) =>
            outcomeOf(account, [{ ...insert, id: key }, ...(index % 5 === 0 ? [divide('0')] : [])]),
          ),
        )
        const stored = await account.getMany(keys)
        assert.deepEqual(
          stored.map((document) => document !== undefined),
          keys.map((_, index) => index % 5 !== 0),
        )
      },
    }),
  },
}

/**
 * The numbers of transactions that readers of the change log need. A storage whose transactions do not stay open
 * between two calls has no such numbers; the cases then pass.
 */
export const transactionNumberCases: StorageCases = {
  group: 'transaction numbers',
  cases: {
    'the oldest open transaction has no higher number than the next transaction, and neither number decreases': async ({
      account,
    }) => {
      let before = await account.transactionNumbers?.()
      if (!before) return
      for (let n = 0; n < 5; n++) {
        await account.commit([{ ...insert, id: { ...id, key: `flag ${n}` } }])
        const after = await account.transactionNumbers?.()
        if (!after) return assert.fail('the numbers must not be undefined after a commit')
        assert.isTrue(after.oldestOpen <= after.next, `${after.oldestOpen} must be at most ${after.next}`)
        assert.isTrue(
          after.oldestOpen >= before.oldestOpen,
          `${after.oldestOpen} must be at least ${before.oldestOpen}`,
        )
        assert.isTrue(after.next > before.next, `${after.next} must be more than ${before.next} after a commit`)
        before = after
      }
    },
  },
}

/** Returns the outcome of a commit, or what it throws. */
async function outcomeOf(account: AccountStorage, batch: readonly Change[]): Promise<unknown> {
  try {
    return await account.commit(batch)
  } catch (error) {
    return error
  }
}

/** Returns the outcome of a commit that did not throw. */
function outcomeIn(outcome: unknown): unknown {
  return (outcome as { readonly outcome?: unknown }).outcome
}

/** Runs the cases only on a storage that runs statements. */
function casesWithStatements(cases: StorageCases['cases']): StorageCases['cases'] {
  const withStatements = Object.entries(cases).map(([name, runCase]) => [
    name,
    async (stage: StorageCaseContext) => {
      if (stage.account.runsStatements) await runCase(stage)
    },
  ])
  return Object.fromEntries(withStatements)
}
