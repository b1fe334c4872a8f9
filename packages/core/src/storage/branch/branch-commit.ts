import { allOf } from '../adapter/row-conditions.ts'
import { allKeys } from '../all-keys.ts'
import { commitOutcome } from '../commit-outcome.ts'
import { DocumentMap } from '../document-map.ts'
import { findSamples } from '../find-samples.ts'
import {
  type AccountStorage,
  type Change,
  type CommitOutcome,
  type DocumentId,
  type Fields,
  isUnder,
  type SetId,
} from '../port.ts'
import { addedTo, removedFrom } from './branch-key-sets.ts'
import { type BranchBase, type BranchRow, idIn, rowOf } from './branch-rows.ts'
import { deletedFrom } from './branch-samples.ts'
import {
  type BranchParts,
  type BranchState,
  branchStateId,
  isCleared,
  isEmptied,
  setName,
  stateIn,
} from './branch-state.ts'

/**
 * Commits a batch to a branch: its changes become changes of the branch's own rows.
 *
 * The state of the branch is read first and replaced by the commit, so nothing of the branch has changed between the
 * reads and the commit. A document of the trunk is checked when it is read.
 *
 * @param branch the storage of the branch, for the reads.
 */
export async function commitToBranch(
  parts: BranchParts,
  branch: AccountStorage,
  batch: readonly Change[],
): Promise<CommitOutcome> {
  for (;;) {
    const document = await parts.own.get(branchStateId)
    const state = stateIn(parts, document)
    const outcome = await commitOutcome(branch, batch)
    if (outcome.outcome !== 'committed') return outcome
    const translation = new Translation(parts, branch, state)
    if (!(await translation.translate(batch))) continue
    if (translation.state.rows > parts.maxRows) parts.onFull()
    const stateChange: Change = {
      do: 'replace',
      id: branchStateId,
      version: document?.version ?? 0,
      body: translation.state,
      fields: {},
    }
    const result = await parts.own.commit([stateChange, ...translation.changes.map(({ change }) => change)])
    if (result.outcome === 'committed') {
      return { ...outcome, counts: translation.countsOf(outcome.counts, result.counts.slice(1)) }
    }
    // Another commit has replaced the state.
    if (result.change === 0) continue
    return { outcome: result.outcome, change: translation.changes[result.change - 1]?.index ?? 0 }
  }
}

/** A document while the changes of a batch are translated. */
interface PlannedRow {
  /** Version of the branch's row; 0 when the branch has no row. */
  readonly rowVersion: number
  readonly base: BranchBase | undefined
  /** True when the trunk has the document, and the branch would show it without a row of its own. */
  readonly isInTrunk: boolean
  /** Version of the document; undefined when it does not exist. */
  readonly version: number | undefined
}

const absentRow: PlannedRow = { rowVersion: 0, base: undefined, isInTrunk: false, version: undefined }

/** Number of rows that one request lists. */
const allRows = 2 ** 31 - 1

const noBackUps = 'a back-up cannot be imported into a branch'

/** Kinds of change whose count `commitOutcome` does not predict. */
const countedByOwn: ReadonlySet<Change['do']> = new Set([
  'discard-all',
  'clear',
  'append',
  'trim',
  'enqueue',
  'finish',
  'postpone',
])

/** Translates the changes of a batch, one after the other. */
class Translation {
  /** Changes of the branch's own rows, each with the index, in the batch, of the change for which it was made. */
  readonly changes: { readonly change: Change; readonly index: number }[] = []
  state: BranchState
  readonly #parts: BranchParts
  readonly #branch: AccountStorage
  readonly #rows = new DocumentMap<PlannedRow>()
  /** The fields of the documents that the batch has written so far. */
  readonly #written = new DocumentMap<Fields>()
  readonly #writtenIds: DocumentId[] = []
  /** The ids that the batch has deleted so far, by series. */
  readonly #deletedSamples = new Map<string, readonly string[]>()
  /** Indexes of the changes whose count is the sum of the counts of the changes of the branch's own rows. */
  readonly #countedByOwn = new Set<number>()
  #index = 0

  constructor(parts: BranchParts, branch: AccountStorage, state: BranchState) {
    this.#parts = parts
    this.#branch = branch
    this.state = state
  }

  /** Resolves with false when a document of the trunk has changed since the preconditions were checked. */
  async translate(batch: readonly Change[]): Promise<boolean> {
    await this.#plan(batch.flatMap((change) => ('id' in change ? [change.id] : [])))
    for (const [index, change] of batch.entries()) {
      this.#index = index
      if (!('id' in change)) await this.#translateOther(change)
      else if (!this.#translateDocument(change)) return false
    }
    return true
  }

  /** Reads the current state of documents that have no row in `#rows` yet. */
  async #plan(ids: readonly DocumentId[]): Promise<void> {
    const { own, trunk } = this.#parts
    const [rows, documents] = await Promise.all([own.getMany(ids), trunk.getMany(ids)])
    for (const [index, id] of ids.entries()) {
      if (this.#rows.has(id)) continue
      const row = rows[index]
      const document = isCleared(this.state, id.scope) ? undefined : documents[index]
      if (row) {
        const { base, offset, removed } = rowOf(row)
        const version = removed ? undefined : row.version + offset
        this.#rows.set(id, { rowVersion: row.version, base, isInTrunk: document !== undefined, version })
      } else {
        const base = document && { version: document.version, body: document.body }
        this.#rows.set(id, { rowVersion: 0, base, isInTrunk: base !== undefined, version: base?.version })
      }
    }
  }

  #translateDocument(change: Extract<Change, { readonly id: DocumentId }>): boolean {
    const { version } = this.#rowOf(change.id)
    switch (change.do) {
      case 'insert':
        if (version === undefined) this.#write(change, 1)
        return version === undefined
      case 'replace':
        if (version === change.version) this.#write(change, version + 1)
        return version === change.version
      case 'remove':
        if (version === change.version) this.#erase(change.id)
        return version === change.version
      case 'ensure':
        if (version === undefined) this.#write(change, 1)
        return true
      case 'discard':
        if (version !== undefined) this.#erase(change.id)
        return true
      case 'expect':
        return version === change.version
    }
  }

  /**
   * Returns the counts of the batch.
   *
   * @param predicted counts of the batch, without the counts of some kinds of change.
   * @param own counts of `changes`.
   */
  countsOf(predicted: readonly number[], own: readonly number[]): number[] {
    const counts = [...predicted]
    for (const index of this.#countedByOwn) counts[index] = 0
    for (const [position, { index }] of this.changes.entries()) {
      if (this.#countedByOwn.has(index)) counts[index] = (counts[index] ?? 0) + (own[position] ?? 0)
    }
    return counts
  }

  #rowOf(id: DocumentId): PlannedRow {
    return this.#rows.get(id) ?? absentRow
  }

  #write(
    { id, body, fields }: { readonly id: DocumentId; readonly body: unknown; readonly fields: Fields },
    version: number,
  ): void {
    const { rowVersion, base, isInTrunk } = this.#rowOf(id)
    this.#store(id, rowVersion, { ...(base && { base }), offset: version - rowVersion - 1, body }, fields)
    this.#rows.set(id, { rowVersion: rowVersion + 1, base, isInTrunk, version })
    this.#written.set(id, fields)
    this.#writtenIds.push(id)
  }

  /** Removes a document. For a document of the trunk, writes a row that marks it as removed. */
  #erase(id: DocumentId): void {
    const row = this.#rowOf(id)
    if (row.base || row.isInTrunk) {
      this.#store(id, row.rowVersion, { ...(row.base && { base: row.base }), offset: 0, removed: true }, {})
      this.#rows.set(id, { ...row, rowVersion: row.rowVersion + 1, version: undefined })
      return
    }
    this.#push({ do: 'remove', id, version: row.rowVersion })
    this.#count(-1)
    this.#rows.set(id, absentRow)
  }

  #store(id: DocumentId, rowVersion: number, row: BranchRow, fields: Fields): void {
    if (rowVersion === 0) {
      this.#push({ do: 'insert', id, body: row, fields })
      this.#count(1)
    } else this.#push({ do: 'replace', id, version: rowVersion, body: row, fields })
  }

  async #translateOther(change: Exclude<Change, { readonly id: DocumentId }>): Promise<void> {
    if (countedByOwn.has(change.do)) this.#countedByOwn.add(this.#index)
    switch (change.do) {
      case 'discard-all':
        return this.#discardAll(change)
      case 'clear':
        return this.#clear(change)
      case 'add-keys':
        this.#push({ ...change, set: addedTo(change.set) })
        return this.#count(change.keys.length)
      case 'remove-keys':
        return this.#removeKeys(change.set, change.keys)
      case 'move-keys':
        return this.#moveKeys(change)
      case 'append':
        return this.#append(change)
      case 'delete-samples':
        return this.#deleteSamples(change)
      case 'enqueue':
        this.#push(change)
        return this.#count(change.tasks.length)
      case 'trim':
      case 'finish':
      case 'postpone':
        return this.#push(change)
      case 'load':
        throw new Error(noBackUps)
      case 'run-statement':
        throw new TypeError('a branch calls no hooks, so its commits contain no statements of the application')
    }
  }

  async #discardAll({ collection, scope, where }: Extract<Change, { readonly do: 'discard-all' }>): Promise<void> {
    const query = { collection, scope, deep: true, where, limit: allRows, select: 'fields' } as const
    const stored = (await this.#branch.list(query)).items.map((item) => idIn(collection, item))
    await this.#plan(stored)
    const includes = allOf(where)
    const written = this.#writtenIds.filter(
      (id) =>
        id.collection === collection &&
        isUnder(id.scope, scope) &&
        includes({ document: { ...id, version: 0, body: undefined }, fields: this.#written.get(id) ?? {} }),
    )
    const ids = [...stored.filter((id) => !this.#written.has(id)), ...written]
    for (const id of ids) if (this.#rowOf(id).version !== undefined) this.#erase(id)
  }

  #clear(change: Extract<Change, { readonly do: 'clear' }>): void {
    const { scope } = change
    // The state of the branch is in the scope of the account. Only an import of a back-up clears that scope.
    if (scope === '') throw new Error(noBackUps)
    const others = this.state.clearedScopes.filter((cleared) => !isUnder(cleared, scope))
    this.#push(change)
    if (!isCleared(this.state, scope)) this.state = { ...this.state, clearedScopes: [...others, scope] }
    this.#rows.replaceUnder(scope, absentRow)
  }

  /**
   * Removes keys from the added keys of a set, and marks those that the trunk stores as removed. Added keys can contain
   * a key that the branch has also removed, so keys are removed in both ways.
   */
  async #removeKeys(set: SetId, keys: readonly string[]): Promise<void> {
    this.#push({ do: 'remove-keys', set: addedTo(set), keys })
    const stored = isEmptied(this.state, set) ? [] : await this.#parts.trunk.findKeys(set, keys)
    if (stored.length === 0) return void this.#countedByOwn.add(this.#index)
    this.#push({ do: 'add-keys', set: removedFrom(set), keys: stored })
    this.#count(stored.length)
  }

  async #moveKeys({ from, into, replace = false }: Extract<Change, { readonly do: 'move-keys' }>): Promise<void> {
    const { trunk, own } = this.#parts
    const stored = isEmptied(this.state, from) ? [] : await allKeys((page) => trunk.pageKeys(from, page))
    const hasOther = !isEmptied(this.state, into) && (await trunk.countKeys(into)) > 0
    if (stored.length === 0 && !hasOther) this.#countedByOwn.add(this.#index)
    if (stored.length > 0) {
      const removed = new Set(await own.findKeys(removedFrom(from), stored))
      const keys = stored.filter((key) => !removed.has(key))
      if (keys.length > 0) this.#push({ do: 'add-keys', set: addedTo(from), keys })
      this.#count(keys.length)
      this.#empty(from)
    }
    this.#push({ do: 'move-keys', from: addedTo(from), into: addedTo(into), replace })
    if (replace) this.#empty(into)
  }

  #empty(set: SetId): void {
    if (isEmptied(this.state, set)) return
    this.state = { ...this.state, emptiedSets: [...this.state.emptiedSets, setName(set)] }
  }

  #deleteSamples(change: Extract<Change, { readonly do: 'delete-samples' }>): void {
    const { series, ids } = change
    this.#push(change, { do: 'add-keys', set: deletedFrom(series), keys: ids })
    this.#count(ids.length)
    const name = setName(series)
    this.#deletedSamples.set(name, [...(this.#deletedSamples.get(name) ?? []), ...ids])
  }

  /** Appends the samples that the trunk does not have; the rows of the branch themselves have each id once. */
  async #append(change: Extract<Change, { readonly do: 'append' }>): Promise<void> {
    const { series } = change
    const deleted = new Set(this.#deletedSamples.get(setName(series)))
    const ids = change.samples.map(({ id }) => id)
    for (const id of await this.#parts.own.findKeys(deletedFrom(series), ids)) deleted.add(id)
    const isShown = !this.#parts.ownSeries.has(series.name) && !isCleared(this.state, series.scope)
    const stored = isShown ? await findSamples(this.#parts.trunk, series, change.samples) : []
    const existing = new Set(stored.filter((id) => !deleted.has(id)))
    const samples = change.samples.filter(({ id }) => !existing.has(id))
    if (samples.length > 0) this.#push({ ...change, samples })
    this.#count(samples.length)
  }

  #count(added: number): void {
    this.state = { ...this.state, rows: this.state.rows + added }
  }

  #push(...changes: readonly Change[]): void {
    for (const change of changes) this.changes.push({ change, index: this.#index })
  }
}
