import type { AccountStorage, Sample } from '@halyard/core/storage'

export const changeLog = { name: 'change-log', scope: 'acct' }

/**
 * Number of entries that are read at a time. It is greater than the number that processes commit within the difference
 * of their clocks.
 */
const pageSize = 10

/**
 * The entries of a change log in the order of their commits. The change log itself is ordered by the clocks of the
 * processes, and a clock that is set back gives a commit an earlier time than a previous commit of another process.
 */
export class CommitOrder {
  readonly #account: AccountStorage
  readonly #known = new Set<string>()
  /** The entries that were read so far, in the order of their commits, oldest first. */
  readonly entries: Sample[] = []

  constructor(account: AccountStorage) {
    this.#account = account
  }

  /** Adds the entries that were committed since the last call. Among themselves they have the order of the log. */
  async read(): Promise<void> {
    const added: Sample[] = []
    let page: readonly Sample[]
    let last: Sample | undefined
    do {
      const before = last && { before: { at: last.at, id: last.id } }
      page = await this.#account.newest({ series: changeLog, limit: pageSize, ...before })
      added.push(...page.filter(({ id }) => !this.#known.has(id)))
      last = page.at(-1)
    } while (page.length === pageSize && added.at(-1) === last)
    for (const entry of added.toReversed()) {
      this.#known.add(entry.id)
      this.entries.push(entry)
    }
  }
}
