import {
  type CompilePattern,
  compileRuleset,
  type Evaluate,
  type EvaluationContext,
  type EvaluationResult,
  evaluate,
  evaluateAll,
  type FlagTypes,
  failedEvaluation,
  orDefault,
  type Ruleset,
} from '../evaluation/index.ts'
import { readSnapshot, type SnapshotBytes } from './snapshot-format.ts'

/** Options of {@link snapshotReader}. */
export interface SnapshotReaderOptions {
  /**
   * Reads the snapshot from where `engine.snapshot` put it, e.g. `() => kv.get(name, 'arrayBuffer')`, or
   * `snapshotFrom(url)`. It resolves with null while no snapshot exists, and may resolve with undefined when the
   * snapshot has not changed since the last call.
   */
  readonly read: () => Promise<ArrayBuffer | SnapshotBytes | null | undefined>
  /** Public key of ECDSA on the curve P-256, whose private key signs the snapshots. */
  readonly publicKey: CryptoKey
  /** The environment. A snapshot of another environment is refused, also when it is signed with the expected key. */
  readonly environment: { readonly projectKey: string; readonly environmentKey: string }
  /**
   * The engine for patterns of clauses that could be slow, e.g. `re2Pattern`. Without this option, such patterns do not
   * match.
   */
  readonly compilePattern?: CompilePattern
}

/** Evaluates the flags of a snapshot. Before the first `refresh` every result is an error `CLIENT_NOT_READY`. */
export interface SnapshotReader {
  /**
   * Reads the snapshot again. When that fails, evaluation continues with the previous snapshot.
   *
   * @returns true when evaluation uses another snapshot from now on.
   * @throws Error when the snapshot is missing, is not signed by the key, belongs to another environment or is older
   *   than the current one; the error of `read`.
   */
  refresh(): Promise<boolean>
  /** Version of the current snapshot; undefined before one was read. */
  readonly version: number | undefined
  /** The flags and segments, for the functions of this entry point; undefined before a snapshot was read. */
  readonly ruleset: Ruleset | undefined
  /** Returns the value of a flag for a context, with the reason. Synchronous; never throws. */
  readonly evaluate: Evaluate<FlagTypes>
  /** Returns the values of all flags for a context, by flag key. Synchronous; never throws. */
  evaluateAll(context: EvaluationContext): Readonly<Record<string, EvaluationResult>>
}

const notReady = failedEvaluation('CLIENT_NOT_READY')

/**
 * Makes a reader of the snapshots that `engine.snapshot` writes, without engine and storage. It starts no timer: the
 * program calls `refresh` at the start, and then as often as changes must apply.
 *
 * @example
 * ```ts
 * import { type SnapshotReaderOptions, snapshotReader } from '@halyard/core/evaluation'
 *
 * export async function isOn(options: SnapshotReaderOptions, flagKey: string, userKey: string) {
 *   const flags = snapshotReader(options)
 *   await flags.refresh()
 *   return flags.evaluate(flagKey, { kind: 'user', key: userKey }, false).value
 * }
 * ```
 */
export function snapshotReader({
  read,
  publicKey,
  environment,
  compilePattern,
}: SnapshotReaderOptions): SnapshotReader {
  let current: { readonly version: number; readonly ruleset: Ruleset } | undefined
  let pending: Promise<boolean> | undefined

  async function refreshOnce(): Promise<boolean> {
    const bytes = await read()
    if (bytes === undefined && current) return false
    if (!bytes) throw new Error(`there is no snapshot of ${nameOf(environment)}`)
    const snapshot = await readSnapshot(new Uint8Array(bytes), publicKey)
    if (nameOf(snapshot) !== nameOf(environment))
      throw new Error(`the snapshot must be one of ${nameOf(environment)}, not of ${nameOf(snapshot)}`)
    const { version } = snapshot
    if (current && version < current.version)
      throw new Error(`the snapshot must be of version ${current.version} or newer, not ${version}`)
    if (version === current?.version) return false
    current = { version, ruleset: compileRuleset({ ...snapshot, compilePattern }) }
    return true
  }

  return {
    // Calls that overlap share one read, so that an older snapshot never replaces a newer one.
    refresh: () => (pending ??= refreshOnce().finally(() => (pending = undefined))),
    get version() {
      return current?.version
    },
    get ruleset() {
      return current?.ruleset
    },
    evaluate: ((flagKey: string, context: EvaluationContext, fallback: unknown) =>
      orDefault(current ? evaluate(current.ruleset, flagKey, context) : notReady, fallback)) as Evaluate<FlagTypes>,
    evaluateAll: (context) => (current ? evaluateAll(current.ruleset, context) : {}),
  }
}

function nameOf({ projectKey, environmentKey }: SnapshotReaderOptions['environment']): string {
  return `${projectKey}/${environmentKey}`
}
