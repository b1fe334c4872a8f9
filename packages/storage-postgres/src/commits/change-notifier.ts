import {
  type Change,
  type CommitOutcome,
  concernsOtherProcesses,
  noticePayload,
  parseNotice,
  type StorageWatch,
  type TouchedRecords,
  touchedBy,
} from '@halyard/core/storage'
import { type ListenerConnection, listenerConnection } from '../connections/listener-connection.ts'
import type { SqlDriver } from '../connections/sql-driver.ts'
import type { ChangeNotification } from './change-notification.ts'

type ChangeListener = (touched: readonly TouchedRecords[] | 'anything') => void

/**
 * Emits the changes that a storage object commits, to its own watchers and to the other storage objects on the same
 * schema.
 */
export interface ChangeNotifier {
  /**
   * Writes a batch and emits its change notification. The watchers of this storage object are notified before the
   * promise resolves.
   */
  commit(
    account: string,
    batch: readonly Change[],
    write: (notification: ChangeNotification | undefined) => Promise<CommitOutcome>,
  ): Promise<CommitOutcome>
  /**
   * Returns true while all commits of other processes are reported, and false where the driver cannot listen. The first
   * call starts to listen.
   */
  isNotified(): boolean
  /** Reports the changes of an account to a listener; undefined where the driver cannot listen. */
  readonly watch: ((account: string, listener: ChangeListener) => StorageWatch) | undefined
  close(): Promise<void>
}

export interface ChangeNotifierOptions {
  /** The channel that all storage objects of one schema use. */
  readonly channel: string
  /** The driver's `listen`. Without it, the notifier sends notifications and receives none. */
  readonly listen: SqlDriver['listen']
  /** True when notifications are sent. */
  readonly notify: boolean
  /**
   * Called before the watchers. Receives the account that was or may have been changed, or undefined when commits of
   * any account may have been missed.
   */
  readonly onChange: (account: string | undefined) => void
}

/** Creates the notifier of one storage object. */
export function changeNotifier(options: ChangeNotifierOptions): ChangeNotifier {
  return new ChannelNotifier(options)
}

class ChannelNotifier implements ChangeNotifier {
  readonly watch: ChangeNotifier['watch']
  readonly #channel: string
  readonly #notify: boolean
  readonly #onChange: (account: string | undefined) => void
  readonly #connection: ListenerConnection | undefined
  readonly #watchers = new Map<string, Set<ChangeListener>>()
  #sender = newSender()
  #isClosed = false

  constructor({ channel, listen, notify, onChange }: ChangeNotifierOptions) {
    this.#channel = channel
    this.#notify = notify
    this.#onChange = onChange
    this.#connection =
      listen &&
      listenerConnection({
        connect: (notificationListener) => listen(channel, notificationListener),
        onNotification: (payload) => this.#receive(payload),
        onConnected: () => this.#notifyAllAccounts(),
      })
    const connection = this.#connection
    this.watch = connection && ((account, listener) => this.#watch(connection, account, listener))
  }

  async commit(
    account: string,
    batch: readonly Change[],
    write: (notification: ChangeNotification | undefined) => Promise<CommitOutcome>,
  ): Promise<CommitOutcome> {
    const touched = touchedBy(batch)
    const isSent = this.#notify && concernsOtherProcesses(batch)
    const notification = isSent ? this.#notificationOf(account, touched) : undefined
    try {
      const outcome = await write(notification)
      // A batch was refused because of a commit of another process, whose notification may not have arrived yet.
      this.#onChange(account)
      if (outcome.outcome === 'committed') this.#notifyListeners(account, touched)
      return outcome
    } catch (error) {
      this.#onChange(account)
      // The batch may have been committed, or may be committed later. With a new sender id, its notification is treated
      // as the notification of another storage object.
      this.#sender = newSender()
      this.#notifyListeners(account, touched)
      throw error
    }
  }

  isNotified(): boolean {
    if (!this.#connection || this.#isClosed) return false
    this.#connection.open()
    return this.#connection.live()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const listeners of this.#watchers.values()) listeners.clear()
    this.#watchers.clear()
    await this.#connection?.close()
  }

  #notificationOf(account: string, touched: readonly TouchedRecords[]): ChangeNotification {
    return { channel: this.#channel, payload: noticePayload({ sender: this.#sender, account, touched }) }
  }

  #watch(connection: ListenerConnection, account: string, onChange: ChangeListener): StorageWatch {
    // Each call makes a new function, so that a listener that is added twice is notified twice, and each of the two can
    // be removed.
    const listener: ChangeListener = (touched) => onChange(touched)
    const listeners = this.#watchers.get(account) ?? new Set()
    if (!this.#isClosed) {
      this.#watchers.set(account, listeners.add(listener))
      connection.open()
    }
    return { live: () => listeners.has(listener) && connection.live(), stop: () => this.#stop(account, listener) }
  }

  async #stop(account: string, listener: ChangeListener): Promise<void> {
    const listeners = this.#watchers.get(account)
    listeners?.delete(listener)
    if (listeners?.size === 0) this.#watchers.delete(account)
    if (this.#watchers.size === 0) await this.#connection?.close()
  }

  #notifyListeners(account: string, touched: readonly TouchedRecords[] | 'anything'): void {
    for (const listener of this.#watchers.get(account) ?? []) listener(touched)
  }

  #notifyAllAccounts(): void {
    this.#onChange(undefined)
    for (const account of this.#watchers.keys()) this.#notifyListeners(account, 'anything')
  }

  #receive(payload: string): void {
    const notification = parseNotice(payload)
    if (!notification) this.#notifyAllAccounts()
    else if (notification.sender !== this.#sender) {
      this.#onChange(notification.account)
      this.#notifyListeners(notification.account, notification.touched)
    }
  }
}

function newSender(): string {
  return crypto.randomUUID().slice(0, 13)
}
