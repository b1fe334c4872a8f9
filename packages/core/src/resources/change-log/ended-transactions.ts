import type { AccountStorage } from '../../storage/port.ts'

/**
 * A time, and the number that the next transaction got at that time. Transactions that first wrote later have this
 * number or a greater one.
 */
interface Mark {
  time: number
  readonly next: number
}

/**
 * Maximum number of marks. While one transaction stays open, more marks only allow progress in smaller steps after its
 * end.
 */
const maxMarks = 1_000

/**
 * Finds the newest time for which every transaction that had written before it has ended. A transaction of the host can
 * stay open for any time, and its writes become readable only when it ends.
 */
export class EndedTransactions {
  readonly #marks: Mark[] = []
  #ended = 0

  /**
   * Returns a time, integer ms. Everything that was written before this time is either readable now or never will be.
   * For a storage that does not number its transactions the result is the current time.
   */
  async timeOf(storage: Pick<AccountStorage, 'transactionNumbers'>, now: number): Promise<number> {
    const numbers = await storage.transactionNumbers?.()
    if (!numbers) return now
    // An account that was moved to another server has the numbers of that server. A move waits for open transactions.
    if (numbers.next < (this.#marks.at(-1)?.next ?? 0)) this.#marks.splice(0)
    const newest = this.#marks.at(-1)
    if (newest?.next === numbers.next) newest.time = now
    else if (this.#marks.length < maxMarks) this.#marks.push({ time: now, next: numbers.next })
    for (let [oldest] = this.#marks; oldest && oldest.next <= numbers.oldestOpen; [oldest] = this.#marks) {
      this.#ended = oldest.time
      this.#marks.shift()
    }
    return this.#ended
  }
}
