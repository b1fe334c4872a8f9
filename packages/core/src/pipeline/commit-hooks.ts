import type { ChangeLogEntry, LoggedChange } from '../operation/change-log/change-log-entry.ts'
import { withoutSecrets } from '../operation/change-log/logged-call.ts'
import { describedEntry, readableResource } from '../operation/change-log/readable-change.ts'
import { shownDocument } from '../operation/change-log/shown-change.ts'
import type { Host } from '../operation/context.ts'
import { ApiError } from '../operation/errors.ts'
import type { ChangedResource, CommittedChange, Hooks, PendingChange } from '../operation/hooks.ts'
import type { BeforeAndAfter } from '../storage/changed-document.ts'
import type { ShownFormat, Versioned } from '../storage/collection.ts'
import type { AccountStorage, Change, Sample } from '../storage/port.ts'
import type { WrittenUnit } from './written-unit.ts'

/** Default of `timeoutMs`. */
const defaultTimeoutMs = 5_000

/** A statement that a hook adds to a commit. */
type AddedStatement = Extract<Change, { readonly do: 'run-statement' }>

type RunsStatements = Pick<AccountStorage, 'runsStatements'>

/** Rejects with `timeoutError` when the work takes longer than `ms`. */
export type WithTimeout = (work: Promise<void>, ms: number, timeoutError: Error) => Promise<void>

/** The outcome of a commit: `committed`, `discarded` by a dry run, or left to a `transaction` of the host. */
export type CommitMode = 'committed' | 'discarded' | 'transaction'

/** The hooks of an engine, which are called one after the other, in their order. */
export class CommitHooks {
  readonly #hooks: readonly Hooks[]
  readonly #host: Host
  readonly #withTimeout: WithTimeout

  constructor(hooks: readonly Hooks[], host: Host, withTimeout: WithTimeout) {
    this.#hooks = hooks
    this.#host = host
    this.#withTimeout = withTimeout
  }

  /**
   * Calls each `beforeCommit`; the first one that fails ends the call.
   *
   * @returns the statements that the hooks add to the commit. A commit that is discarded runs none.
   */
  async before(
    change: CommittedChange,
    mode: CommitMode,
    { runsStatements }: RunsStatements,
  ): Promise<AddedStatement[]> {
    const statements: AddedStatement[] = []
    let isCalled = true
    const pending: PendingChange = Object.assign(change, {
      dryRun: mode === 'discarded',
      addStatement(text: string, values: AddedStatement['values'] = []) {
        if (!isCalled) throw new TypeError('a statement must be added before the hook ends')
        if (!runsStatements && mode !== 'discarded')
          throw new TypeError('the storage runs no statements of the application')
        statements.push({ do: 'run-statement', text, values })
      },
    })
    try {
      for (const hooks of this.#hooks) await this.#wait(hooks, 'beforeCommit', hooks.beforeCommit?.(pending))
    } finally {
      isCalled = false
    }
    return statements
  }

  /** Calls each `afterCommit` of a change that is committed. Never rejects: a failure is logged. */
  async after(change: CommittedChange, mode: CommitMode): Promise<void> {
    if (mode !== 'committed') return
    for (const hooks of this.#hooks) {
      try {
        await this.#wait(hooks, 'afterCommit', hooks.afterCommit?.(change))
      } catch (error) {
        this.#host.log({ level: 'error', event: 'hook-failed', operation: change.operation, error })
      }
    }
  }

  async #wait({ timeoutMs = defaultTimeoutMs }: Hooks, name: string, work: void | Promise<void>): Promise<void> {
    if (work === undefined) return
    const message = `The hook ${name} of the application did not end within ${timeoutMs} ms`
    await this.#withTimeout(work, timeoutMs, new ApiError('service_unavailable', { message }))
  }
}

/** Returns the change of a unit of work for hooks. Documents and patches are computed when they are first read. */
export function hookedChange(
  sample: Sample,
  unit: Pick<WrittenUnit, 'written' | 'changed'>,
  format: ShownFormat,
): CommittedChange {
  const documents = unit.written().map((written) => ({
    ...written,
    // If no document was stored, the caller saw a default.
    before: unit.changed.find(({ collection, keys }) => isSame(written, collection, keys))?.seen ?? written.before,
  }))
  // Cast: the samples of this series are entries.
  const { changes } = sample.body as ChangeLogEntry
  return { ...describedEntry(sample), resources: changes.map((change) => changedResource(change, documents, format)) }
}

function isSame(written: BeforeAndAfter, collection: unknown, keys: unknown): boolean {
  return written.collection === collection && written.keys === keys
}

function changedResource(
  change: LoggedChange,
  documents: readonly BeforeAndAfter[],
  format: ShownFormat,
): ChangedResource {
  const readable = readableResource(change, format)
  const address = change.document ?? change.resource
  const written = documents.find(
    ({ collection, keys }) => collection.name === change.kind && collection.address.address(keys) === address,
  )
  const serialize = (document: Versioned | undefined) =>
    written &&
    document &&
    shownDocument(written.collection, withoutSecrets(document, written.collection.secrets), format)
  return {
    ...identityOf(change),
    get patch() {
      return readable.patch
    },
    get inverse() {
      return readable.inverse
    },
    get before() {
      return serialize(written?.before)
    },
    get after() {
      return serialize(written?.after)
    },
  }
}

function identityOf({ resource, kind, actions, members }: LoggedChange) {
  return { resource, kind, actions, ...(members && { members }) }
}
