import type { EvaluationContext, EvaluationResult } from '../../rules/evaluation/index.ts'
import type { MigrationSafetyIssue } from '../../rules/migration-safety/migration-safety-issues.ts'
import type { Statement } from '../../rules/policy/statement.ts'

/** The value of a flag or an AI config for a context, with the variation that it belongs to. */
export interface SimulatedVariation extends EvaluationResult {
  /** `_id` of the variation, which stays the same when variations are reordered; null for the caller's default. */
  readonly variationId: string | null
}

/** Membership of a context in a segment. */
export interface SimulatedMembership {
  readonly member: boolean
}

/** Results for a context before and after a change. */
export interface SimulatedContext<Answer> {
  readonly context: EvaluationContext
  readonly before: Answer
  readonly after: Answer
  /** True when the variation or its value differs, or when the context enters or leaves the segment. */
  readonly changed: boolean
  /**
   * Explanations of both results, when the variation of a flag or an AI config changes: the texts of
   * `evaluator.explain`.
   */
  readonly why?: SimulatedReasons
}

/** Explanations of the variations before and after a change. */
export interface SimulatedReasons {
  readonly before: string
  readonly after: string
}

/** A segment that is related to the change. */
export interface SimulatedSegment {
  readonly key: string
  readonly name: string
  /** Number of the contexts that are in the segment before the change. */
  readonly before: number
  readonly after: number
  /** For changes of a flag or an AI config: true when its rules use the segment, before and after. */
  readonly referenced?: { readonly before: boolean; readonly after: boolean }
}

/** A flag or an AI config whose value depends on the changed resource. */
export interface SimulatedFlag {
  readonly key: string
  readonly name: string
  /** Number of the contexts whose variation changes. */
  readonly changed: number
  /** Indexes of the contexts in `contexts`. */
  readonly contexts: readonly {
    readonly index: number
    readonly before: SimulatedVariation
    readonly after: SimulatedVariation
  }[]
  /** Explanation of the result for the first of these contexts. */
  readonly why?: SimulatedReasons
}

/** A webhook that would receive the change. */
export interface SimulatedWebhook {
  readonly _id: string
  readonly name: string
  /** Host and port of the URL of the webhook. The rest of the URL may be secret. */
  readonly host: string
  /**
   * Statements of the webhook that select the change. Empty for a webhook without statements, which receives all
   * changes.
   */
  readonly statements: readonly Statement[]
}

/** The entry of the change log. Ids and times are those of the simulation. */
export interface SimulatedEntry {
  readonly kind: string
  readonly name: string
  /** The change in one line. */
  readonly titleVerb: string
  /** The change in one line, with its actor. */
  readonly title: string
  readonly description: string
  /** Comment of the caller on the change. */
  readonly comment?: string | undefined
  readonly accesses: readonly { readonly action: string; readonly resource: string }[]
  readonly target: { readonly name: string; readonly resources: readonly string[] }
  /** The change of each resource and its inverse (RFC 6902), without secrets. */
  readonly delta: readonly {
    readonly resource: string
    readonly patch: readonly unknown[]
    readonly inverse: readonly unknown[]
  }[]
}

/** Result of a simulated change. Nothing was written. */
export interface Simulation<Answer = SimulatedVariation | SimulatedMembership> {
  readonly kind: 'flag' | 'segment' | 'aiconfig'
  /** One result for each given context, in the same order. */
  readonly contexts: readonly SimulatedContext<Answer>[]
  /** Number of contexts that change. */
  readonly changed: number
  /**
   * For a flag or an AI config: the segments that it uses, directly or through others. For a segment: the segment
   * itself and the segments that use it. Sorted by key.
   */
  readonly segments: readonly SimulatedSegment[]
  /** Flags with the flag as a prerequisite or with the segment in a rule, directly or through others. By key. */
  readonly flags: readonly SimulatedFlag[]
  /** AI configs with the changed segment in a rule, directly or through other segments. By key. */
  readonly aiConfigs: readonly SimulatedFlag[]
  /**
   * Issues of a migration flag (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d23-migration-safety); empty for
   * other flags.
   */
  readonly migrationSafetyIssues: readonly MigrationSafetyIssue[]
  /**
   * Approvals that environments require for the change
   * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals). All other properties are computed as if the
   * change were approved.
   */
  readonly approvals: {
    readonly required: boolean
    /** The messages of the environments, joined with `; `. */
    readonly why?: string
    /** Keys of the environments that require approval, sorted. */
    readonly environments?: readonly string[]
  }
  /** The webhooks that the caller may view. */
  readonly webhooks: readonly SimulatedWebhook[]
  /** The entry that the change would write; undefined when nothing would change. */
  readonly changeLogEntry: SimulatedEntry | undefined
  /**
   * The response of the operation: the flag, the segment, or the targeting, variation or AI config in its new state.
   */
  readonly answer: unknown
}
