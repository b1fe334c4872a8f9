import { changeLog } from '../../operation/change-log/change-log.ts'
import type { Host } from '../../operation/context.ts'
import { ApiError, fail } from '../../operation/errors.ts'
import {
  branchAccount,
  branchEntries,
  branchIndexAccount,
  branchNames,
  maxBranches,
} from '../../storage/branch/branch-names.ts'
import { type BranchParts, type BranchState, branchStateId, newBranchState } from '../../storage/branch/branch-state.ts'
import { branchStorage } from '../../storage/branch/branch-storage.ts'
import type { AccountStorage, Storage } from '../../storage/port.ts'
import { journal } from './branch-journal.ts'

/** Name and times of a branch. */
export interface BranchInfo {
  readonly name: string
  /** Integer ms, UTC. */
  readonly createdAt: number
  /** Time at which the branch is deleted: integer ms, UTC. */
  readonly expiresAt: number
}

/** Options of `engine.branch`. */
export interface BranchOptions {
  /**
   * Time after which a new branch ends, in ms: 1 to 31,536,000,000, a year. Default: 14 days. The time of an existing
   * branch does not change.
   */
  readonly expiresIn?: number
}

/** Maximum number of rows that a branch adds. */
export const maxBranchRows = 20_000

const dayMs = 24 * 60 * 60 * 1000
const defaultExpiryMs = 14 * dayMs
const maxExpiryMs = 365 * dayMs

/** Names of branches: names of Git branches, but without slashes, because SDK keys contain the name of the branch. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

const expiryQueue = { name: 'branch-expiry', scope: '' }

/** Time for which a process that deletes expired branches leases the task, in ms. */
const leaseMs = 60_000

/**
 * The branches of an account. The rows of each branch are in a separate account on the same storage, and one more
 * account lists the branches. So no list, task, count or back-up of the account itself contains anything of a branch.
 */
export class BranchAccounts {
  readonly #storage: Storage
  readonly #account: string
  readonly #host: Host

  constructor(storage: Storage, account: string, host: Host) {
    this.#storage = storage
    this.#account = account
    this.#host = host
  }

  /**
   * Returns the branch with a name, and creates it if it does not exist.
   *
   * @throws ApiError `invalid_request` naming the option that is invalid, and when the account has the maximum number
   *   of branches.
   */
  async open(name: string, { expiresIn = defaultExpiryMs }: BranchOptions = {}): Promise<BranchState> {
    checkOptions(name, expiresIn)
    const branch = await this.#own(name)
    const existing = await this.find(name)
    if (existing) return existing
    // Deletes the remaining rows of an expired branch with this name.
    await this.delete(name)
    const index = await this.#index()
    const { total = 0 } = await index.list({
      collection: branchEntries,
      scope: '',
      limit: 0,
      count: true,
      select: 'fields',
    })
    if (total >= maxBranches)
      refuse('name', `must not create another branch: an account can have at most ${maxBranches} branches`)
    const now = this.#host.now()
    const [id, secret] = [this.#host.newId(), this.#host.randomHex(20)]
    const state = newBranchState({ id, name, createdAt: now, expiresAt: now + expiresIn, secret })
    const task = { id, lane: id, at: state.expiresAt, due: state.expiresAt, body: { name } }
    await index.commit([
      { do: 'ensure', id: { collection: branchEntries, scope: '', key: name }, body: {}, fields: {} },
      { do: 'enqueue', queue: expiryQueue, tasks: [task] },
    ])
    const { outcome } = await branch.commit([{ do: 'insert', id: branchStateId, body: state, fields: {} }])
    // Another process may have created the branch concurrently.
    return outcome === 'committed' ? state : ((await this.find(name)) ?? this.open(name, { expiresIn }))
  }

  /** Returns the branch with a name; undefined when it does not exist. */
  async find(name: string): Promise<BranchState | undefined> {
    if (!namePattern.test(name)) return undefined
    // Cast: only branches write the document.
    const state = (await (await this.#own(name)).get(branchStateId))?.body as BranchState | undefined
    return state && state.expiresAt > this.#host.now() ? state : undefined
  }

  /** Lists the branches by name. */
  async list(): Promise<BranchInfo[]> {
    const names = await branchNames(this.#storage, await this.#host.sha256(this.#account))
    const states = await Promise.all(names.map((name) => this.find(name)))
    return states.flatMap((state) => state ?? []).map(infoOf)
  }

  /** Deletes a branch with all of its rows. Returns false when the branch does not exist or has expired. */
  async delete(name: string): Promise<boolean> {
    if (!namePattern.test(name)) return false
    const branch = await this.#own(name)
    const index = await this.#index()
    // Cast: only branches write the document.
    const state = (await branch.get(branchStateId))?.body as BranchState | undefined
    await index.commit([{ do: 'discard', id: { collection: branchEntries, scope: '', key: name } }])
    await branch.commit([{ do: 'clear', scope: '' }])
    if (!state) return false
    await index.commit([{ do: 'finish', queue: expiryQueue, task: state.id }])
    return state.expiresAt > this.#host.now()
  }

  /** Deletes the branches that have expired. */
  async deleteExpired(): Promise<void> {
    const index = await this.#index()
    for (;;) {
      const now = this.#host.now()
      const tasks = await index.take({ name: expiryQueue.name, now, until: now + leaseMs, limit: 10 })
      if (tasks.length === 0) return
      for (const { id, body } of tasks) {
        // Cast: `open` makes the tasks.
        const { name } = body as { readonly name: string }
        const state = (await (await this.#own(name)).get(branchStateId))?.body as BranchState | undefined
        // If the branch was deleted and another branch has its name, the task of that other branch deletes it.
        if (!state || state.id === id) await this.delete(name)
        await index.commit([{ do: 'finish', queue: expiryQueue, task: id }])
      }
    }
  }

  /** Returns the parts of the storage of a branch. */
  async partsOf({ id, name }: BranchState, storage = this.#storage): Promise<BranchParts> {
    return {
      trunk: storage.account(this.#account),
      own: storage.account(await this.#nameOfOwn(name)),
      id,
      ownSeries: new Set([changeLog.id({}).name, journal.id({}).name]),
      maxRows: maxBranchRows,
      onDeleted: () => {
        throw new ApiError('not_found', { message: `The branch ${name} has been merged or deleted, or has expired` })
      },
      onFull: () => refuse('branch', `must add at most ${maxBranchRows} rows; merge it first`),
    }
  }

  async #own(name: string): Promise<AccountStorage> {
    return this.#storage.account(await this.#nameOfOwn(name))
  }

  async #index(): Promise<AccountStorage> {
    return this.#storage.account(branchIndexAccount(await this.#host.sha256(this.#account)))
  }

  /** The name of an account has up to 256 characters, so the name of the branch's account contains its hash instead. */
  async #nameOfOwn(name: string): Promise<string> {
    return branchAccount(await this.#host.sha256(this.#account), name)
  }
}

/** Returns a storage whose account is the branch. It cannot be closed: it belongs to the engine of the trunk. */
export function storageOfBranch(storage: Storage, parts: BranchParts): Storage {
  const branch = branchStorage(parts)
  return {
    name: storage.name,
    migrate: () => storage.migrate(),
    ping: () => storage.ping(),
    close: async () => {},
    account: () => branch,
  }
}

/** Returns what callers see of a branch. */
export function infoOf({ name, createdAt, expiresAt }: BranchState): BranchInfo {
  return { name, createdAt, expiresAt }
}

function checkOptions(name: string, expiresIn: number): void {
  if (!namePattern.test(name)) {
    refuse('name', 'must start with a letter or digit and have 1 to 100 letters, digits, `.`, `_` and `-`')
  }
  if (!Number.isSafeInteger(expiresIn) || expiresIn < 1 || expiresIn > maxExpiryMs) {
    refuse('expiresIn', `must be an integer from 1 to ${maxExpiryMs}`)
  }
}

function refuse(attribute: string, reason: string): never {
  return fail('invalid_request', { errors: [{ attribute, reason }] })
}
