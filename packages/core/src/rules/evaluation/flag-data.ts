import type { ClauseOperator, ClauseValue } from '../targeting/clause.ts'

/**
 * A flag of one environment as server-side SDKs receive it. Properties that are omitted or null count as absent,
 * because flag data can come from many versions of many programs.
 */
export interface FlagData {
  readonly key: string
  /** Increases with each change. */
  readonly version?: number
  readonly on?: boolean
  /** Text that percentage rollouts hash together with the flag's key. */
  readonly salt?: string
  /** Values that the flag can have; all other properties refer to them by index. */
  readonly variations?: readonly unknown[]
  readonly prerequisites?: readonly PrerequisiteData[] | null
  /** Users that are targeted individually. */
  readonly targets?: readonly TargetData[] | null
  /**
   * Targets for contexts of all kinds. If it is not empty, it defines the order in which all targets are evaluated, and
   * an entry for users refers to the entry of `targets` with the same variation.
   */
  readonly contextTargets?: readonly TargetData[] | null
  readonly rules?: readonly FlagRuleData[] | null
  /** Served if the flag is on and neither targets nor rules match. */
  readonly fallthrough?: ServeData | null
  /** Served if the flag is off or a prerequisite is not met; the caller's default if omitted. */
  readonly offVariation?: number | null
  readonly trackEvents?: boolean
  readonly trackEventsFallthrough?: boolean
  readonly debugEventsUntilDate?: number | null
  /** Client-side SDKs that may see the flag. */
  readonly clientSideAvailability?: {
    readonly usingEnvironmentId?: boolean
    readonly usingMobileKey?: boolean
  }
  /**
   * Only in migration flags: of this number of reads from both systems, one is compared. For example, 10 means that one
   * of 10 reads is compared.
   */
  readonly migration?: { readonly checkRatio?: number } | null
}

/** Another flag that must be on and serve this variation. */
export interface PrerequisiteData {
  readonly key: string
  readonly variation: number
}

/** Contexts of one kind that get a variation. */
export interface TargetData {
  /** Default `user`. */
  readonly contextKind?: string
  readonly variation: number
  readonly values?: readonly string[] | null
}

/** A variation or a rollout to serve. */
export interface ServeData {
  readonly variation?: number | null
  readonly rollout?: RolloutData | null
}

/** Variations that contexts get pseudo-randomly, each with its weight. */
export interface RolloutData {
  /** An experiment hashes the key of the context, regardless of `bucketBy`. Default `rollout`. */
  readonly kind?: string
  /** Default `user`. If omitted, `bucketBy` is the plain name of an attribute. */
  readonly contextKind?: string
  readonly bucketBy?: string | null
  /** Number that is hashed instead of the flag's key and salt. */
  readonly seed?: number | null
  readonly variations?: readonly WeightedVariation[] | null
}

/** A variation of a rollout with its weight. */
export interface WeightedVariation {
  readonly variation: number
  /** Thousandths of a percent. */
  readonly weight: number
  /** In an experiment: true if contexts that get this variation are not counted. */
  readonly untracked?: boolean
}

/** Serves a variation or rollout to contexts that all clauses match. */
export interface FlagRuleData extends ServeData {
  readonly id?: string
  readonly clauses?: readonly ClauseData[] | null
  readonly trackEvents?: boolean
}

/** A condition on one attribute of a context. */
export interface ClauseData {
  /** Default `user`. If omitted, `attribute` is the plain name of an attribute. */
  readonly contextKind?: string
  /** A name, or a reference such as `/address/city`. */
  readonly attribute?: string
  /** Unknown operators match nothing. */
  readonly op: ClauseOperator | (string & {})
  /** For `segmentMatch`: keys of segments. */
  readonly values?: readonly (ClauseValue | unknown)[] | null
  readonly negate?: boolean
}

/** A segment of one environment as server-side SDKs receive it. */
export interface SegmentData {
  readonly key: string
  readonly version?: number
  readonly salt?: string
  /** Keys of included users. */
  readonly included?: readonly string[] | null
  /** Keys of users that no rule can add. */
  readonly excluded?: readonly string[] | null
  readonly includedContexts?: readonly SegmentTargetData[] | null
  readonly excludedContexts?: readonly SegmentTargetData[] | null
  readonly rules?: readonly SegmentRuleData[] | null
  /** True for a big segment, whose lists are stored separately. */
  readonly unbounded?: boolean
  /** Default `user`. */
  readonly unboundedContextKind?: string
  /** Present for big segments only. Distinguishes segments that were created one after another with the same key. */
  readonly generation?: number | null
}

/** Contexts of one kind that a segment lists. */
export interface SegmentTargetData {
  readonly contextKind?: string
  readonly values?: readonly string[] | null
}

/** Adds contexts to a segment if all clauses match. */
export interface SegmentRuleData {
  readonly id?: string
  readonly clauses?: readonly ClauseData[] | null
  /** Thousandths of a percent of the contexts that the clauses match; all contexts if omitted. */
  readonly weight?: number | null
  readonly bucketBy?: string | null
  /** Default `user`. If omitted, `bucketBy` is the plain name of an attribute. */
  readonly rolloutContextKind?: string
}
