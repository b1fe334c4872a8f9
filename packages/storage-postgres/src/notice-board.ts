import { type Change, type CommitOutcome, type Touched, touchedBy, type Watching } from '@halyard/core/storage'
import { listeningLine } from './listening-line.ts'
import { type Notice, noticePayload, parseNotice } from './notice.ts'
import type { SqlDriver } from './sql-driver.ts'

type Told = (touched: readonly Touched[] | 'anything') => void

/** What a storage object tells, to those who watch it and to the others on the same schema. */
export interface NoticeBoard {
  /** Sees to it that all are told of what is committed: its own watchers before this resolves. */
  commit(
    account: string,
    batch: readonly Change[],
    write: (notice: Notice | undefined) => Promise<CommitOutcome>,
  ): Promise<CommitOutcome>
  /** Undefined where nobody can listen. */
  readonly watch: ((account: string, told: Told) => Watching) | undefined
  close(): Promise<void>
}

/**
 * Makes the board of one storage object.
 *
 * @param channel what the storages of one schema have in common.
 * @param listen of the driver; without it the board tells others and hears of none.
 * @param notify whether others are told.
 */
export function noticeBoard(channel: string, listen: SqlDriver['listen'], notify: boolean): NoticeBoard {
  const watchers = new Map<string, Set<Told>>()
  let sender = newSender()
  let closed = false
  const line = listen && listeningLine({ connect: (ear) => listen(channel, ear), heard, connected: tellAll })

  function tell(account: string, touched: readonly Touched[] | 'anything'): void {
    for (const told of watchers.get(account) ?? []) told(touched)
  }

  function tellAll(): void {
    for (const account of watchers.keys()) tell(account, 'anything')
  }

  function heard(payload: string): void {
    const notice = parseNotice(payload)
    if (!notice) tellAll()
    else if (notice.sender !== sender) tell(notice.account, notice.touched)
  }

  async function stop(account: string, told: Told): Promise<void> {
    const those = watchers.get(account)
    those?.delete(told)
    if (those?.size === 0) watchers.delete(account)
    if (watchers.size === 0) await line?.close()
  }

  return {
    async commit(account, batch, write) {
      const touched = touchedBy(batch)
      const wanted = notify && isForOthers(batch)
      const notice = wanted ? { channel, payload: noticePayload({ sender, account, touched }) } : undefined
      try {
        const outcome = await write(notice)
        if (outcome.outcome === 'committed') tell(account, touched)
        return outcome
      } catch (error) {
        // Perhaps it was committed, or still will be. From now on its notice counts as that of another.
        sender = newSender()
        tell(account, touched)
        throw error
      }
    },
    watch:
      line &&
      ((account, given) => {
        // Of its own, so that a function that is added twice is told twice and stops once.
        const told: Told = (touched) => given(touched)
        const those = watchers.get(account) ?? new Set()
        if (!closed) {
          watchers.set(account, those.add(told))
          line.open()
        }
        return { live: () => those.has(told) && line.live(), stop: () => stop(account, told) }
      }),
    async close() {
      closed = true
      for (const those of watchers.values()) those.clear()
      watchers.clear()
      await line?.close()
    },
  }
}

function newSender(): string {
  return crypto.randomUUID().slice(0, 13)
}

/** Whether anybody elsewhere may want to know. What becomes of a task is the business of whoever has it. */
function isForOthers(batch: readonly Change[]): boolean {
  return batch.some(({ do: verb }) => verb !== 'expect' && verb !== 'finish' && verb !== 'postpone')
}
