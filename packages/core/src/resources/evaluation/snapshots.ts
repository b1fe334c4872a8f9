import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { Host } from '../../operation/context.ts'
import { fail } from '../../operation/errors.ts'
import type { Ruleset } from '../../rules/evaluation/index.ts'
import { type SnapshotBytes, writeSnapshot } from '../../rules/snapshots/snapshot-format.ts'
import type { EvaluatorHandle } from './evaluator.ts'

/** Options of `engine.snapshot`. */
export interface SnapshotOptions {
  /**
   * Private key of ECDSA on the curve P-256: `crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, …)`.
   */
  readonly signingKey: CryptoKey
  /** The target of the snapshot: a namespace of Workers KV, a bucket of R2, or another object with a function `put`. */
  readonly target?: SnapshotTarget
  /** Name of the snapshot at the target. Default: `<projectKey>/<environmentKey>.snapshot`. */
  readonly name?: string
}

/** A store of files. */
export interface SnapshotTarget {
  /** Replaces a file. */
  put(name: string, bytes: SnapshotBytes): unknown
}

/** A snapshot that was written. */
export interface SnapshotResult {
  readonly name: string
  /** Time of the snapshot, in ms. It stays the same until a flag or a segment changes, and is then greater. */
  readonly version: number
  readonly bytes: SnapshotBytes
  /** Time at which a target of a flag expires, so that another snapshot is due; integer ms, UTC. */
  readonly nextExpiry: number | undefined
}

/** Makes the function `engine.snapshot` over the evaluators of environments. */
export function snapshots(handleOf: (keys: EnvironmentKeys) => EvaluatorHandle, host: Host) {
  /** The last snapshot of each environment. While nothing changes, the same bytes are written again. */
  const written = new Map<string, { readonly ruleset: Ruleset; readonly key: CryptoKey } & Written>()

  return async (environment: EnvironmentKeys, options: SnapshotOptions): Promise<SnapshotResult> => {
    const { projectKey, environmentKey } = environment
    const { signingKey, target, name = `${projectKey}/${environmentKey}.snapshot` } = options
    const { evaluator, cached } = handleOf(environment)
    await evaluator.ready()
    const content = cached.content()
    if (!content)
      return fail('not_found', { message: `the environment ${environmentKey} of ${projectKey} was deleted` })
    const { ruleset, nextExpiry } = content
    const id = `${projectKey}/${environmentKey}`
    const last = written.get(id)
    const isSame = last?.ruleset === ruleset && last.key === signingKey
    const version = isSame ? last.version : Math.max(host.now(), (last?.version ?? 0) + 1)
    const bytes = isSame
      ? last.bytes
      : await writeSnapshot({ projectKey, environmentKey, version }, ruleset, signingKey)
    written.set(id, { ruleset, key: signingKey, version, bytes })
    await target?.put(name, bytes)
    return { name, version, bytes, nextExpiry: Number.isFinite(nextExpiry) ? nextExpiry : undefined }
  }
}

type Written = Pick<SnapshotResult, 'version' | 'bytes'>
