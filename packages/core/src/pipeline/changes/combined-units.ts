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

/** The unit of work of the operation that combines others. It has an entry when it writes something that is logged. */
export interface CombiningChange {
  readonly unit: UnitOfWork
  readonly entry: Sample | undefined
}

/** The units of work of several operations, which are committed as one batch. */
export class CombinedUnits implements WrittenUnit {
  readonly changed: ChangedDocument[]
  readonly #units: readonly UnitOfWork[]
  readonly #changes: readonly CombinedChange[]
  readonly #batch: readonly Change[]

  /**
   * @param batch conditions on stored documents, followed by the batches of all units in order.
   * @param own the unit of work of the operation that combines the others.
   */
  constructor(changes: readonly CombinedChange[], batch: readonly Change[], own?: UnitOfWork) {
    this.#changes = changes
    this.#batch = batch
    this.#units = [...(own ? [own] : []), ...changes.map(({ unit }) => unit)]
    this.changed = this.#units.flatMap(({ changed }) => changed)
  }

  /** Returns the units, followed by the unit of the operation that combines them. */
  with(own: UnitOfWork): CombinedUnits {
    return new CombinedUnits(this.#changes, this.#batch, own)
  }

  written(): readonly WrittenDocument[] {
    return this.#units.flatMap((unit) => unit.written())
  }

  writtenIds(): readonly DocumentId[] {
    return this.#units.flatMap((unit) => unit.writtenIds())
  }

  documentAfter(id: DocumentId): Versioned | undefined {
    return this.#units.findLast((unit) => unit.documentAfter(id))?.documentAfter(id)
  }

  /** Returns the change of all units for the hooks of the host; undefined when no unit has an entry. */
  hooked({ unit, entry }: CombiningChange, operation: string, format: ResponseFormat): CommittedChange | undefined {
    const parts = [...(entry ? [{ unit, entry }] : []), ...this.#changes].map(({ entry, unit }) =>
      hookedChange(entry, unit, format),
    )
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

  /**
   * Commits all units as one batch. The writes of the combining operation come first, because their conditions are
   * about the stored documents.
   *
   * @param statements statements of the application that the commit contains. Default: no statements.
   */
  async commit(
    { unit }: CombiningChange,
    commit: Commit,
    statements: readonly Change[] = [],
  ): Promise<CommitFailure | undefined> {
    const batch = [...unit.changes(), ...this.#batch, ...statements]
    if (batch.length === 0) return undefined
    const result = await commit(batch)
    if (result.outcome === 'committed') return undefined
    return { outcome: result.outcome, change: batch[result.change] }
  }
}
