import { parseNotice, type StorageWatch, type TouchedRecords } from '@halyard/core/storage'
import type { OtherCommits } from './other-commits.ts'

type ChangeListener = (touched: readonly TouchedRecords[] | 'anything') => void

/**
 * Interval between two checks for commits of other processes, ms. A check that finds none reads one number that SQLite
 * keeps in shared memory.
 */
const checkIntervalMs = 5

/** Notifies the watchers of a storage object of the commits of this object and of other processes. */
export interface ChangeNotifier {
  /** Identifies the storage object in its notifications. */
  readonly sender: string
  notify(account: string, touched: readonly TouchedRecords[] | 'anything'): void
  /**
   * Sets a new sender name. Called when it is unknown whether earlier commits happened. Their notifications, if there
   * are any, then count as notifications of another storage object.
   */
  changeSender(): void
  watch(account: string, listener: ChangeListener): StorageWatch
  close(): void
}

/**
 * Creates the notifier of one storage object.
 *
 * @param otherCommits reads the commits of other processes; undefined where there are none.
 */
export function changeNotifier(otherCommits: OtherCommits | undefined): ChangeNotifier {
  const watchers = new Map<string, Set<ChangeListener>>()
  let timer: ReturnType<typeof setInterval> | undefined
  let sender = newSender()
  let closed = false

  function notify(account: string, touched: readonly TouchedRecords[] | 'anything'): void {
    for (const listener of watchers.get(account) ?? []) listener(touched)
  }

  function notifyAll(): void {
    for (const account of watchers.keys()) notify(account, 'anything')
  }

  /**
   * Notifies the watchers of what other processes have committed since the last check. Returns false when the commits
   * cannot be read.
   */
  function check(): boolean {
    if (closed || !otherCommits) return !closed
    const notifications = otherCommits.next()
    if (notifications === undefined) return false
    if (notifications === 'anything') notifyAll()
    else {
      for (const payload of notifications) {
        const notification = parseNotice(payload)
        if (!notification) notifyAll()
        else if (notification.sender !== sender) notify(notification.account, notification.touched)
      }
    }
    return true
  }

  function stop(account: string, listener: ChangeListener): void {
    const listeners = watchers.get(account)
    listeners?.delete(listener)
    if (listeners?.size === 0) watchers.delete(account)
    if (watchers.size === 0) stopTimer()
  }

  function stopTimer(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    get sender() {
      return sender
    },
    notify,
    changeSender: () => void (sender = newSender()),
    watch(account, onChange) {
      // Each call makes a new function, so that a listener that is added twice is notified twice, and each of the two
      // can be removed.
      const listener: ChangeListener = (touched) => onChange(touched)
      const listeners = watchers.get(account) ?? new Set()
      if (!closed) {
        if (watchers.size === 0) otherCommits?.start()
        watchers.set(account, listeners.add(listener))
        if (otherCommits && !timer) {
          timer = setInterval(check, checkIntervalMs)
          unref(timer)
        }
      }
      // `live` also checks for commits, so that a cache is as new as the database, however long the interval is.
      return {
        live: () => listeners.has(listener) && check(),
        async stop() {
          stop(account, listener)
        },
      }
    },
    close() {
      closed = true
      stopTimer()
      for (const listeners of watchers.values()) listeners.clear()
      watchers.clear()
    },
  }
}

function newSender(): string {
  return crypto.randomUUID().slice(0, 13)
}

/** Lets the process end while the timer runs. Timers of browsers and workers are numbers. */
function unref(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref()
}
