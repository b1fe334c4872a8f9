import type { Host } from '../../operation/context.ts'
import {
  type Evaluate,
  type EvaluateAllOptions,
  type Evaluated,
  type EvaluatedStage,
  type EvaluationContext,
  type EvaluationExplanation,
  type EvaluationReason,
  evaluate,
  evaluateAll,
  explainEvaluation,
  type FlagData,
  type FlagKeyOf,
  type FlagTypes,
  failedEvaluation,
  migrationStageOf,
  orDefault,
  type Ruleset,
} from '../../rules/evaluation/index.ts'
import { attributesOf, kindsOf, subjectOf } from '../../rules/evaluation/subject.ts'
import type { MigrationStage } from '../../rules/migration-safety/stages.ts'
import type { Reader } from '../../storage/reader.ts'
import { type BigSegmentMemory, bigSegmentMemory } from './big-segment-memory.ts'
import type { EnvironmentKeys } from './environment-content.ts'
import type { EvaluatedContent } from './evaluated-content.ts'
import type { EvaluationCounts } from './evaluation-counts.ts'
import { type FlagChanges, flagChanges } from './flag-changes.ts'
import { type FlagLabels, noLabels } from './flag-labels.ts'
import { type HeldEnvironment, heldEnvironment } from './held-environment.ts'

/**
 * Evaluates the flags of one environment as they are stored. Synchronous once the environment has been read.
 *
 * @typeParam Flags the flags by key, each with the type of its values. Default: those that the program has declared as
 *   `FlagTypes`; where it has declared none, any.
 */
export interface Evaluator<Flags extends object = FlagTypes> {
  /**
   * Resolves when everything is evaluated by that the storage has told of. The first call reads the environment; later ones
   * wait for what is just being read. What this engine commits counts as soon as the call that did it resolves, what others
   * commit within milliseconds. A storage that does not tell what is committed, or not at present, is read again.
   *
   * @throws ApiError `not_found` where there is no such environment; whatever storage throws.
   */
  ready(): Promise<void>
  /**
   * The value of a flag for a context, and why. Waits for nothing and does not throw.
   *
   * @param fallback what `value` is where the flag has none, or one of another type: then the reason is an `ERROR` and
   *   `variationIndex` null. `CLIENT_NOT_READY` before the environment was read, which this call then begins.
   */
  readonly evaluate: Evaluate<Flags>
  /** The same without being counted, for whoever asks once more, or only looks: see `countEvaluations` of the engine. */
  readonly peek: Evaluate<Flags>
  /**
   * Counts an evaluation that was made by `peek`, where the engine counts evaluations. Of flags that there are not nothing
   * is counted.
   *
   * @param variationIndex which variation was served; null for the caller's default.
   */
  count(flagKey: FlagKeyOf<Flags>, variationIndex: number | null): void
  /**
   * The values of all flags for a context, by flag key; `value` is undefined where there is none. Empty before the
   * environment was read, and for what is no context. It is not counted: nobody says which of them are used.
   */
  evaluateAll(
    context: EvaluationContext,
    options?: Pick<EvaluateAllOptions, 'clientSide'>,
  ): Readonly<Record<string, Evaluated>>
  /**
   * At which stage of a migration a context is.
   *
   * @param fallback the stage where the flag has none.
   */
  migrationStage(flagKey: FlagKeyOf<Flags>, context: EvaluationContext, fallback: MigrationStage): EvaluatedStage
  /**
   * Evaluates and tells the whole way: prerequisites, targets, clauses, segments, and where a rollout placed the context.
   * Undefined before the environment was read.
   */
  explain(flagKey: FlagKeyOf<Flags>, context: EvaluationContext): EvaluationExplanation | undefined
  /** What a flag is made of and called. Undefined where there is none, and before the environment was read. */
  describe(flagKey: FlagKeyOf<Flags>): FlagDescription | undefined
  /**
   * Looks up which big segments list a context, which evaluation cannot do as it waits for nothing: until then the context
   * counts as listed in none, and reasons say `bigSegmentsStatus: 'NOT_CONFIGURED'`. Remembered for 10,000 contexts; once
   * a big segment has changed they say `STALE`, until it is looked up again. A storage that fails is `STORE_ERROR`.
   */
  lookUpBigSegments(context: EvaluationContext): Promise<void>
  /**
   * Tells which flags may have another value than before: those that were changed, made or removed, and those that stand
   * on them or on a segment that was changed. Told once it counts; of what nobody has read yet, and of members of big
   * segments, nothing is told. Expired targets are told of by the first evaluation after their date.
   *
   * @param listener is given their keys, at least one. What it throws is logged.
   * @returns ends it.
   */
  onChange(listener: (flagKeys: readonly string[]) => void): () => void
  /**
   * Whether it evaluates by all that is committed, as far as can be known: the environment was read, nothing that the
   * storage has told of is still to be read, and the storage tells at present what is committed.
   */
  readonly current: boolean
  /** What is evaluated by now: the same object until something changes. Undefined before the environment was read. */
  readonly ruleset: Ruleset | undefined
}

/** What a flag is made of and called. */
export interface FlagDescription extends FlagLabels {
  /** The flag as SDKs are sent it. */
  readonly data: FlagData
}

/** An evaluator with what the engine does to it. */
export interface OpenEvaluator {
  readonly evaluator: Evaluator
  readonly held: HeldEnvironment
  readonly changes: FlagChanges
  /** Undefined where nothing is counted. */
  readonly counts: EvaluationCounts | undefined
}

const notReady = failedEvaluation('CLIENT_NOT_READY')

/**
 * @param live whether the storage tells at present what is committed.
 * @param counts counts evaluations; nothing does where it is undefined.
 */
export function openEvaluator(
  tx: Reader,
  host: Host,
  live: () => boolean,
  keys: EnvironmentKeys,
  counts: EvaluationCounts | undefined,
): OpenEvaluator {
  const held = heldEnvironment(tx, host, keys)
  const memory = bigSegmentMemory(tx, host, keys)
  const changes = flagChanges(held, host)
  const bigSegments = () => memory.at(live() ? held.membershipRevision() : Number.NaN)

  function outcome(flagKey: string, context: EvaluationContext): Evaluated {
    const content = held.content()
    if (!content) return notReady
    return evaluate(
      content.ruleset,
      flagKey,
      context,
      content.bigSegments.size > 0 ? { bigSegments: bigSegments() } : {},
    )
  }

  const peek: Evaluator['peek'] = (flagKey, context, fallback) => orDefault(outcome(flagKey, context), fallback)
  const stage: Evaluator['migrationStage'] = (flagKey, context, fallback) =>
    migrationStageOf(outcome(flagKey, context), fallback)

  const evaluator: Evaluator = {
    ready() {
      if (!live()) held.told('anything')
      return held.catchUp()
    },
    evaluate: counts ? (flagKey, context, fallback) => noted(counts, flagKey, peek(flagKey, context, fallback)) : peek,
    peek,
    count(flagKey, variationIndex) {
      if (counts && held.content()?.ruleset.flags.get(flagKey)) counts.add(flagKey, variationIndex)
    },
    evaluateAll(context, { clientSide } = {}) {
      const content = held.content()
      return content ? evaluateAll(content.ruleset, context, { clientSide, bigSegments: bigSegments() }) : {}
    },
    migrationStage: counts
      ? (flagKey, context, fallback) => noted(counts, flagKey, stage(flagKey, context, fallback))
      : stage,
    explain(flagKey, context) {
      const ruleset = held.content()?.ruleset
      return ruleset && explainEvaluation(ruleset, flagKey, context, { bigSegments: bigSegments() })
    },
    describe: (flagKey) => describeFlag(held.content(), flagKey),
    onChange: changes.onChange,
    get current() {
      return live() && held.isCaughtUp()
    },
    lookUpBigSegments: (context) => lookUpBigSegments(held, memory, context),
    get ruleset() {
      return held.content()?.ruleset
    },
  }
  return { evaluator, held, changes, counts }
}

function describeFlag(content: EvaluatedContent | undefined, flagKey: string): FlagDescription | undefined {
  const data = content?.ruleset.flags.get(flagKey)?.data
  return content && data && { data, ...(content.labels.get(flagKey) ?? noLabels) }
}

async function lookUpBigSegments(
  held: HeldEnvironment,
  memory: BigSegmentMemory,
  context: EvaluationContext,
): Promise<void> {
  const subject = subjectOf(context)
  if (typeof subject === 'string') return
  await held.catchUp()
  const contextKeys = kindsOf(subject).map((kind) => attributesOf(subject, kind)?.key as string)
  const revision = held.membershipRevision()
  await memory.lookUp([...new Set(contextKeys)], held.content()?.bigSegments.values() ?? [], revision)
}

function noted<T>(counts: EvaluationCounts, flagKey: string, evaluated: Evaluated<T>): Evaluated<T> {
  const { variationIndex, reason } = evaluated
  if (variationIndex !== null || !isOfNoFlag(reason)) counts.add(flagKey, variationIndex)
  return evaluated
}

/** Names that somebody makes up are not kept, and what was asked about nobody does not count. */
function isOfNoFlag(reason: EvaluationReason): boolean {
  if (reason.kind !== 'ERROR') return false
  const { errorKind } = reason
  return errorKind === 'FLAG_NOT_FOUND' || errorKind === 'CLIENT_NOT_READY' || errorKind === 'USER_NOT_SPECIFIED'
}
