import type { ClauseOperator, ClauseValue } from '../targeting/clause.ts'

/**
 * A flag of one environment as server-side SDKs are sent it. Members that are left out, or null, count as not there: what
 * comes from a feed has been written by many versions of many programs.
 */
export interface FlagData {
  readonly key: string
  /** Grows with each change. */
  readonly version?: number
  readonly on?: boolean
  /** What percentage rollouts hash with the flag's key. */
  readonly salt?: string
  /** The values that the flag can have; all else names them by their index. */
  readonly variations?: readonly unknown[]
  readonly prerequisites?: readonly PrerequisiteData[] | null
  /** Users named one by one. */
  readonly targets?: readonly TargetData[] | null
  /**
   * The same for contexts of all kinds. Where it is not empty it has the order in which all targets are looked at, and an
   * entry for users stands for the one of `targets` with its variation.
   */
  readonly contextTargets?: readonly TargetData[] | null
  readonly rules?: readonly FlagRuleData[] | null
  /** What is served where the flag is on and nothing else decides. */
  readonly fallthrough?: ServeData | null
  /** What is served where the flag is off or a prerequisite is not met; the caller's default where left out. */
  readonly offVariation?: number | null
  readonly trackEvents?: boolean
  readonly trackEventsFallthrough?: boolean
  readonly debugEventsUntilDate?: number | null
  /** Which client-side SDKs may see the flag. */
  readonly clientSideAvailability?: {
    readonly usingEnvironmentId?: boolean
    readonly usingMobileKey?: boolean
  }
  /** Of migration flags only: of how many reads from both systems one is compared. */
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

/** What is served: a variation or a rollout. */
export interface ServeData {
  readonly variation?: number | null
  readonly rollout?: RolloutData | null
}

/** Variations that contexts get by chance, each with its share. */
export interface RolloutData {
  /** An experiment hashes the key of the context whatever `bucketBy` says. Default `rollout`. */
  readonly kind?: string
  /** Default `user`. Where left out, `bucketBy` is the plain name of an attribute. */
  readonly contextKind?: string
  readonly bucketBy?: string | null
  /** Hashed instead of the flag's key and salt. */
  readonly seed?: number | null
  readonly variations?: readonly WeightedVariation[] | null
}

/** A variation of a rollout with its share. */
export interface WeightedVariation {
  readonly variation: number
  /** Thousandths of a percent. */
  readonly weight: number
  /** In an experiment: whether contexts with this share do not count. */
  readonly untracked?: boolean
}

/** What contexts get that all clauses match. */
export interface FlagRuleData extends ServeData {
  readonly id?: string
  readonly clauses?: readonly ClauseData[] | null
  readonly trackEvents?: boolean
}

/** A condition on one attribute of a context. */
export interface ClauseData {
  /** Default `user`. Where left out, `attribute` is the plain name of an attribute. */
  readonly contextKind?: string
  /** A name, or a reference such as `/address/city`. */
  readonly attribute?: string
  /** Operators that are not known match nothing. */
  readonly op: ClauseOperator | (string & {})
  /** For `segmentMatch`: keys of segments. */
  readonly values?: readonly (ClauseValue | unknown)[] | null
  readonly negate?: boolean
}

/** A segment of one environment as server-side SDKs are sent it. */
export interface SegmentData {
  readonly key: string
  readonly version?: number
  readonly salt?: string
  /** Keys of users that are in. */
  readonly included?: readonly string[] | null
  /** Keys of users that no rule matches. */
  readonly excluded?: readonly string[] | null
  readonly includedContexts?: readonly SegmentTargetData[] | null
  readonly excludedContexts?: readonly SegmentTargetData[] | null
  readonly rules?: readonly SegmentRuleData[] | null
  /** Whether it is a big segment, whose lists are kept elsewhere. */
  readonly unbounded?: boolean
  /** Default `user`. */
  readonly unboundedContextKind?: string
  /** Of big segments: which of those that were made under the key. */
  readonly generation?: number | null
}

/** Contexts of one kind that a segment lists. */
export interface SegmentTargetData {
  readonly contextKind?: string
  readonly values?: readonly string[] | null
}

/** Contexts that belong to a segment because all clauses match. */
export interface SegmentRuleData {
  readonly id?: string
  readonly clauses?: readonly ClauseData[] | null
  /** Thousandths of a percent of the contexts that the clauses match; all where left out. */
  readonly weight?: number | null
  readonly bucketBy?: string | null
  /** Default `user`. Where left out, `bucketBy` is the plain name of an attribute. */
  readonly rolloutContextKind?: string
}
