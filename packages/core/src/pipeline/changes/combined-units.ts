import type { ResponseFormat } from '../../operation/context.ts'
import type { CommittedChange } from '../../operation/hooks.ts'
import type { ChangedDocument, WrittenDocument } from '../../storage/changed-document.ts'
import type { Versioned } from '../../storage/collection.ts'
import type { Change, DocumentId, Sample } from '../../storage/port.ts'
import type { Commit } from '../../storage/reads.ts'
import type { CommitFailure, UnitOfWork } from '../../storage/unit-of-work.ts'
import { hookedChange } from '../commit-hooks.ts'
import type { WrittenUnit } from '../written-unit.ts'

/** The unit of work of one operation of a list, and its change log entry. */
export interface CombinedChange {
  readonly unit: UnitOfWork
  readonly entry: Sample
}

/** The units of work of several operations, which are committed as one batch. */
export class CombinedUnits implements WrittenUnit {
  readonly changed: ChangedDocument[]
  readonly #changes: readonly CombinedChange[]
  readonly #batch: readonly Change[]

  /** @param batch the batches of all units in their order, after conditions on what has to be stored. */
  constructor(changes: readonly CombinedChange[], batch: readonly Change[]) {
    this.#changes = changes
    this.#batch = batch
    this.changed = changes.flatMap(({ unit }) => unit.changed)
  }

  written(): readonly WrittenDocument[] {
    return this.#changes.flatMap(({ unit }) => unit.written())
  }

  writtenIds(): readonly DocumentId[] {
    return this.#changes.flatMap(({ unit }) => unit.writtenIds())
  }

  documentAfter(id: DocumentId): Versioned | undefined {
    return this.#changes.findLast(({ unit }) => unit.documentAfter(id))?.unit.documentAfter(id)
  }

  /** Returns the change of all units for the hooks of the host; undefined when no unit has an entry. */
  hooked(operation: string, format: ResponseFormat): CommittedChange | undefined {
    const parts = this.#changes.map(({ entry, unit }) => hookedChange(entry, unit, format))
    const [first] = parts
    return (
      first && {
        ...first,
        operation,
        comment: undefined,
        sentences: parts.flatMap(({ sentences }) => sentences),
        resources: parts.flatMap(({ resources }) => resources),
        parts,
      }
    )
  }

  /** @param statements statements of the application that the commit contains. Default: none. */
  async commit(commit: Commit, statements: readonly Change[] = []): Promise<CommitFailure | undefined> {
    if (this.#batch.length === 0) return undefined
    const result = await commit([...this.#batch, ...statements])
    if (result.outcome === 'committed') return undefined
    return { outcome: result.outcome, change: this.#batch[result.change] }
  }
}
