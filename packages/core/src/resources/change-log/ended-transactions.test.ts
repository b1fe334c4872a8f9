import { expect, it } from 'vitest'
import type { TransactionNumbers } from '../../storage/port.ts'
import { EndedTransactions } from './ended-transactions.ts'

/** Returns the results of `timeOf` for several responses of a storage, which are one second apart. */
async function timesOf(answers: readonly (TransactionNumbers | undefined)[]): Promise<readonly number[]> {
  const ended = new EndedTransactions()
  const times: number[] = []
  for (const [second, numbers] of answers.entries())
    times.push(await ended.timeOf({ transactionNumbers: async () => numbers }, second))
  return times
}

it('the time before which all transactions have ended stays while a transaction is open, and advances after its end', async () => {
  const answers = [
    { oldestOpen: 5, next: 5 },
    { oldestOpen: 5, next: 6 },
    { oldestOpen: 5, next: 9 },
    { oldestOpen: 9, next: 9 },
  ]
  expect(await timesOf(answers)).toEqual([0, 0, 0, 3])
})

it('the time before which all transactions have ended advances after the account was moved to a server with lower numbers', async () => {
  const answers = [
    { oldestOpen: 900, next: 901 },
    { oldestOpen: 3, next: 4 },
    { oldestOpen: 4, next: 4 },
  ]
  expect(await timesOf(answers)).toEqual([0, 0, 2])
})

it('the time before which all transactions have ended is the present for a storage without transaction numbers', async () => {
  expect(await timesOf([undefined, undefined])).toEqual([0, 1])
})
