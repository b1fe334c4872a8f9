import type { Evaluated, EvaluationContext } from '../../rules/evaluation/index.ts'
import type { MigrationSafetyIssue } from '../../rules/migration-safety/migration-safety-issues.ts'
import type { Statement } from '../../rules/policy/statement.ts'

/** What a flag is for a context, and which of its variations that is. */
export interface SimulatedVariation extends Evaluated {
  /** `_id` of the variation, which stays the same where variations are moved; null for the caller's default. */
  readonly variationId: string | null
}

/** Whether a context is in a segment. */
export interface SimulatedMembership {
  readonly member: boolean
}

/** What a context is served before a change and after it. */
export interface SimulatedContext<Answer> {
  readonly context: EvaluationContext
  readonly before: Answer
  readonly after: Answer
  /** Whether the variation is another one, or has another value; of a segment, whether the context enters or leaves. */
  readonly changed: boolean
  /** How both came about, in words, where the variation of a flag changes: the texts of `evaluator.explain`. */
  readonly why?: SimulatedReasons
}

/** How the variations before and after a change came about, in words. */
export interface SimulatedReasons {
  readonly before: string
  readonly after: string
}

/** A segment that has to do with the change. */
export interface SimulatedSegment {
  readonly key: string
  readonly name: string
  /** How many of the contexts are in it. */
  readonly before: number
  readonly after: number
  /** Of a change of a flag: whether its rules ask for the segment, before and after. */
  readonly askedFor?: { readonly before: boolean; readonly after: boolean }
}

/** Another flag whose answers hang on what is changed. */
export interface SimulatedFlag {
  readonly key: string
  readonly name: string
  /** For how many of the contexts its variation changes. */
  readonly changed: number
  /** Those contexts, by their place in `contexts`. */
  readonly contexts: readonly {
    readonly index: number
    readonly before: SimulatedVariation
    readonly after: SimulatedVariation
  }[]
  /** How the first of them came about. */
  readonly why?: SimulatedReasons
}

/** A webhook that would be told. */
export interface SimulatedWebhook {
  readonly _id: string
  readonly name: string
  /** Where it goes: host and port of its URL, of which the rest may be a secret. */
  readonly host: string
  /** Those of its statements that select the change; none for a webhook without statements, which is told everything. */
  readonly statements: readonly Statement[]
}

/** What the change log would say; ids and times are those of the simulation. */
export interface SimulatedEntry {
  readonly kind: string
  readonly name: string
  readonly titleVerb: string
  readonly description: string
  /** What whoever makes the change says of it. */
  readonly comment?: string | undefined
  readonly accesses: readonly { readonly action: string; readonly resource: string }[]
  readonly target: { readonly name: string; readonly resources: readonly string[] }
  /** Each thing that would change, how, and the way back (RFC 6902); without secrets. */
  readonly delta: readonly {
    readonly resource: string
    readonly patch: readonly unknown[]
    readonly inverse: readonly unknown[]
  }[]
}

/** What a change would do. Nothing of it was written. */
export interface Simulation<Answer = SimulatedVariation | SimulatedMembership> {
  readonly kind: 'flag' | 'segment'
  /** One for each context that was asked about, in their order. */
  readonly contexts: readonly SimulatedContext<Answer>[]
  /** How many of them change. */
  readonly changed: number
  /** Segments that the flag asks for, itself or by way of others; or the segment with those that ask for it. By key. */
  readonly segments: readonly SimulatedSegment[]
  /** Flags that have the flag as prerequisite or ask for the segment, themselves or by way of others. By key. */
  readonly flags: readonly SimulatedFlag[]
  /** Of a migration flag (D23); empty for others. */
  readonly migrationSafetyIssues: readonly MigrationSafetyIssue[]
  /** Whether environments require approval of the change (D31); all else is told as if it were given. */
  readonly approvals: {
    readonly required: boolean
    /** What each of them says, with `; ` between them. */
    readonly why?: string
    /** Their keys, in order. */
    readonly environments?: readonly string[]
  }
  /** Those that the caller may view. */
  readonly webhooks: readonly SimulatedWebhook[]
  /** Undefined where the change changes nothing. */
  readonly changeLogEntry: SimulatedEntry | undefined
  /** What the operation would answer: the flag or the segment as it would be. */
  readonly answer: unknown
}
