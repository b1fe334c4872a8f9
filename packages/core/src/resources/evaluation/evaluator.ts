import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { Host } from '../../operation/context.ts'
import {
  type Evaluate,
  type EvaluateAllOptions,
  type EvaluationContext,
  type EvaluationExplanation,
  type EvaluationReason,
  type EvaluationResult,
  evaluate,
  evaluateAll,
  explainEvaluation,
  type FlagData,
  type FlagKeyOf,
  type FlagTypes,
  failedEvaluation,
  type MigrationStageResult,
  migrationStageOf,
  orDefault,
  type Ruleset,
} from '../../rules/evaluation/index.ts'
import { attributesOf, kindsOf, subjectOf } from '../../rules/evaluation/subject.ts'
import type { MigrationStage } from '../../rules/migration-safety/stages.ts'
import type { Reader } from '../../storage/reader.ts'
import { type BigSegmentCache, bigSegmentCache } from './big-segment-cache.ts'
import { type CachedEnvironment, cachedEnvironment } from './cached-environment.ts'
import type { EvaluatedContent } from './evaluated-content.ts'
import type { EvaluationCounts } from './evaluation-counts.ts'
import type { ExperimentExposures, TrackedInput } from './experiment-exposures.ts'
import { type FlagChanges, flagChanges } from './flag-changes.ts'
import { type FlagLabels, noLabels } from './flag-labels.ts'
import { RecentContexts } from './recent-contexts.ts'
import type { ServedContent } from './served-content.ts'

/**
 * Evaluates the stored flags of one environment, and its AI configs as flags whose values are objects. Synchronous
 * after the environment was read.
 *
 * @typeParam Flags the flags by key, each with the type of its values. Default: the flags that the program declares as
 *   `FlagTypes`, or any flags when it declares none.
 */
export interface Evaluator<Flags extends object = FlagTypes> {
  /**
   * Resolves when evaluation includes every change that the storage has reported. The first call reads the environment,
   * later calls wait for pending reads. Commits of this engine are included when the call that made them resolves,
   * commits of other processes within milliseconds. When the storage does not report changes, or cannot report them at
   * the moment, the environment is read again.
   *
   * @throws ApiError `not_found` when the environment does not exist, and forever after it was deleted: for a new
   *   environment with the same key, get another evaluator; any error of the storage.
   */
  ready(): Promise<void>
  /**
   * Returns the value of a flag for a context, with the reason. Synchronous; never throws.
   *
   * @param fallback the `value` when the flag does not exist or its value has another type. The reason is then an
   *   `ERROR` and `variationIndex` is null. Before the environment was read, the error kind is `CLIENT_NOT_READY`, and
   *   the call starts the read. After the environment was deleted it is `ENVIRONMENT_NOT_FOUND`.
   */
  readonly evaluate: Evaluate<Flags>
  /**
   * Evaluates without counting and without recording an exposure, for repeated evaluations and user interfaces. See the
   * engine option `countEvaluations`.
   */
  readonly peek: Evaluate<Flags>
  /**
   * Counts an evaluation that was made by `peek`, when the engine counts evaluations. Unknown flags are not counted.
   *
   * @param variationIndex index of the served variation; null for the caller's default.
   * @param evaluated context and result of the evaluation, which records an exposure when the evaluation is part of an
   *   experiment. Default: no exposures are recorded.
   */
  count(flagKey: FlagKeyOf<Flags>, variationIndex: number | null, evaluated?: CountedEvaluation): void
  /**
   * Tracks an event for a context, as `engine.track` does.
   *
   * @param options `value`: finite number for numeric metrics; `data`: JSON that belongs to the event.
   * @throws ApiError `invalid_request` naming `key`, `context` or `value`.
   */
  track(key: string, context: EvaluationContext, options?: Pick<TrackedInput, 'value' | 'data'>): void
  /**
   * Returns the values of all flags for a context, by flag key. `value` is undefined when a flag has no value for the
   * context. Returns an empty object before the environment was read and for an invalid context. Nothing is counted,
   * because it is unknown which of the values are used.
   */
  evaluateAll(
    context: EvaluationContext,
    options?: Pick<EvaluateAllOptions, 'clientSide'>,
  ): Readonly<Record<string, EvaluationResult>>
  /**
   * Returns the stage of a migration for a context.
   *
   * @param fallback the stage to return when the flag has no stage for the context.
   */
  migrationStage(flagKey: FlagKeyOf<Flags>, context: EvaluationContext, fallback: MigrationStage): MigrationStageResult
  /**
   * Evaluates a flag and returns every step: prerequisites, targets, clauses, segments, and the bucket of the context
   * in a rollout. Returns undefined before the environment was read.
   */
  explain(flagKey: FlagKeyOf<Flags>, context: EvaluationContext): EvaluationExplanation | undefined
  /**
   * Returns the data and the labels of a flag. Returns undefined when the flag does not exist, and before the
   * environment was read.
   */
  describe(flagKey: FlagKeyOf<Flags>): FlagDescription | undefined
  /**
   * Looks up which big segments list a context, because evaluation is synchronous and cannot read the storage. Until
   * the look-up, the context counts as listed in no big segment, and reasons have `bigSegmentsStatus:
   * 'NOT_CONFIGURED'`. The results are cached for 10,000 contexts. After a change of a big segment the status is
   * `STALE` until the next look-up. When the storage fails it is `STORE_ERROR`.
   */
  lookUpBigSegments(context: EvaluationContext): Promise<void>
  /**
   * Calls a listener with the keys of flags that may have another value: flags that were changed, created or removed,
   * and flags that depend on them or on a changed segment. Called after the change applies to evaluation. Changes
   * before the first read, and changes of the members of big segments, are not reported. Expired targets are reported
   * by the first evaluation after their date.
   *
   * @param listener receives at least one key. Its errors are logged.
   * @returns a function that removes the listener.
   */
  onChange(listener: (flagKeys: readonly string[]) => void): () => void
  /**
   * True when evaluation includes all known commits: the environment was read, no reported change is pending, and the
   * storage currently reports changes.
   */
  readonly current: boolean
  /**
   * The compiled content that evaluation uses: the same object until something changes. Undefined before the
   * environment was read.
   */
  readonly ruleset: Ruleset | undefined
}

/** The context and the result of an evaluation that a program made with `peek`. */
export interface CountedEvaluation {
  readonly context: EvaluationContext
  readonly result: EvaluationResult
}

/** Data and labels of a flag. */
export interface FlagDescription extends FlagLabels {
  /** The flag as SDKs receive it. */
  readonly data: FlagData
}

/** An evaluator, with its parts that the engine uses. */
export interface EvaluatorHandle {
  readonly evaluator: Evaluator
  readonly cached: CachedEnvironment
  readonly changes: FlagChanges
  /** Counts evaluations; undefined when evaluations are not counted. */
  readonly counts: EvaluationCounts | undefined
  /** The contexts that were evaluated last. */
  readonly recent: RecentContexts
  /** Evaluates without counting, and records an exposure when the evaluation is part of an experiment. */
  expose(flagKey: string, context: EvaluationContext): EvaluationResult
}

/** The parts of an evaluator that depend on the engine. */
export interface EvaluatorParts {
  readonly exposures: ExperimentExposures
  track(event: TrackedInput): void
  /** Counts evaluations; undefined when evaluations are not counted. */
  readonly counts: EvaluationCounts | undefined
  /** Reads the documents that are served as flags; undefined when there are none. */
  readonly served: ServedContent | undefined
}

const notReady = failedEvaluation('CLIENT_NOT_READY')
const deleted = failedEvaluation('ENVIRONMENT_NOT_FOUND')

/** An environment, and the parts of its evaluator. */
export interface EvaluatedEnvironment {
  readonly keys: EnvironmentKeys
  readonly parts: EvaluatorParts
}

/**
 * Creates an evaluator.
 *
 * @param live returns true while the storage reports changes.
 */
export function createEvaluator(
  tx: Reader,
  host: Host,
  live: () => boolean,
  { keys, parts: { exposures, track, counts, served } }: EvaluatedEnvironment,
): EvaluatorHandle {
  const cached = cachedEnvironment(tx, host, { keys, served })
  const bigSegmentEntries = bigSegmentCache(tx, host, keys)
  const changes = flagChanges(cached, host)
  const recent = new RecentContexts()
  const bigSegments = () => bigSegmentEntries.lookupAt(live() ? cached.membershipRevision() : Number.NaN)

  function outcome(flagKey: string, context: EvaluationContext): EvaluationResult {
    const content = cached.content()
    if (!content) return cached.isGone() ? deleted : notReady
    return evaluate(
      content.ruleset,
      flagKey,
      context,
      content.bigSegments.size > 0 ? { bigSegments: bigSegments() } : {},
    )
  }

  const peek: Evaluator['peek'] = (flagKey, context, fallback) => orDefault(outcome(flagKey, context), fallback)
  const migrationStage: Evaluator['migrationStage'] = (flagKey, context, fallback) =>
    migrationStageOf(outcome(flagKey, context), fallback)

  /**
   * Records the context, the exposure and the count of an evaluation, and returns its result. Every evaluation calls
   * this function.
   */
  function exposed<T extends EvaluationResult>(flagKey: string, context: EvaluationContext, result: T): T {
    recent.add(context)
    exposures.add(cached.content()?.ruleset, flagKey, context, result)
    return counts ? counted(counts, flagKey, context, result) : result
  }

  const evaluator: Evaluator = {
    ready() {
      if (!live()) cached.invalidate('anything')
      return cached.catchUp()
    },
    evaluate: (flagKey, context, fallback) => exposed(flagKey, context, peek(flagKey, context, fallback)),
    peek,
    count(flagKey, variationIndex, evaluated) {
      const ruleset = cached.content()?.ruleset
      if (counts && ruleset?.flags.get(flagKey)) counts.add(flagKey, variationIndex, evaluated?.context)
      if (!evaluated) return
      recent.add(evaluated.context)
      exposures.add(ruleset, flagKey, evaluated.context, evaluated.result)
    },
    track: (key, context, options) => track({ ...options, key, context }),
    evaluateAll(context, { clientSide } = {}) {
      const content = cached.content()
      recent.add(context)
      return content ? evaluateAll(content.ruleset, context, { clientSide, bigSegments: bigSegments() }) : {}
    },
    migrationStage: (flagKey, context, fallback) =>
      exposed(flagKey, context, migrationStage(flagKey, context, fallback)),
    explain(flagKey, context) {
      const ruleset = cached.content()?.ruleset
      return ruleset && explainEvaluation(ruleset, flagKey, context, { bigSegments: bigSegments() })
    },
    describe: (flagKey) => describeFlag(cached.content(), flagKey),
    onChange: changes.onChange,
    get current() {
      return live() && cached.isCaughtUp()
    },
    lookUpBigSegments: (context) => lookUpBigSegments(cached, bigSegmentEntries, context),
    get ruleset() {
      return cached.content()?.ruleset
    },
  }
  function expose(flagKey: string, context: EvaluationContext): EvaluationResult {
    const result = outcome(flagKey, context)
    recent.add(context)
    exposures.add(cached.content()?.ruleset, flagKey, context, result)
    return result
  }

  return { evaluator, cached, changes, counts, recent, expose }
}

function describeFlag(content: EvaluatedContent | undefined, flagKey: string): FlagDescription | undefined {
  const data = content?.ruleset.flags.get(flagKey)?.data
  return content && data && { data, ...(content.labels.get(flagKey) ?? noLabels) }
}

async function lookUpBigSegments(
  cached: CachedEnvironment,
  bigSegmentEntries: BigSegmentCache,
  context: EvaluationContext,
): Promise<void> {
  const subject = subjectOf(context)
  if (typeof subject === 'string') return
  await cached.catchUp()
  const contextKeys = kindsOf(subject).map((kind) => attributesOf(subject, kind)?.key as string)
  const revision = cached.membershipRevision()
  await bigSegmentEntries.lookUp([...new Set(contextKeys)], cached.content()?.bigSegments.values() ?? [], revision)
}

function counted<T extends EvaluationResult>(
  counts: EvaluationCounts,
  flagKey: string,
  context: EvaluationContext,
  evaluated: T,
): T {
  const { variationIndex, reason } = evaluated
  if (variationIndex !== null || !isUncounted(reason)) counts.add(flagKey, variationIndex, context)
  return evaluated
}

/**
 * Returns true for evaluations that are not counted: those of unknown flag keys, because callers can invent them, and
 * those without a valid context.
 */
function isUncounted(reason: EvaluationReason): boolean {
  if (reason.kind !== 'ERROR') return false
  const { errorKind } = reason
  return errorKind !== 'MALFORMED_FLAG' && errorKind !== 'WRONG_TYPE'
}
