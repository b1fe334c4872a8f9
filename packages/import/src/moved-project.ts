import type { Clause, ClauseOperator, ClauseValue } from './conditions/clause.ts'

/**
 * What an export of another flag service comes to, in the words of this one: whatever the format, the same writer writes it,
 * the same report tells what is lost, and the same differential run compares it.
 *
 * A format is added with three files and a line: in a folder of its own, `read-<name>.ts` makes one of these of the parsed JSON,
 * `evaluator.ts` asks the vendor's own evaluator, `<name>-format.ts` is the {@link FlagFormat} that names both, and the line is in
 * `flag-formats.ts`. What a rule here cannot say in one list of clauses, `compileCondition` says with segments. Nothing is
 * dropped without a {@link Loss}: members that the reader does not know are losses as well.
 */
export interface MovedProject {
  readonly environments: readonly MovedEnvironment[]
  /** Kinds of context other than `user` that rules ask for. */
  readonly contextKinds: readonly string[]
  /** In any order: all are made before the first gets rules. */
  readonly segments: readonly MovedSegment[]
  /** In any order: all are made before the first gets prerequisites. */
  readonly flags: readonly MovedFlag[]
  readonly losses: readonly Loss[]
  /** What whoever asks the flags has to mind from now on, each a sentence; whatever flag it is about. */
  readonly advice: readonly string[]
  /** Values worth trying that no clause names, such as one that a pattern matches. */
  readonly examples: readonly AttributeExample[]
}

/** An environment. */
export interface MovedEnvironment {
  readonly key: string
  readonly name: string
  /** Six hex digits. */
  readonly color?: string
}

/** A segment, in one environment. */
export interface MovedSegment {
  readonly environmentKey: string
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly tags: readonly string[]
  /** Keys of users. */
  readonly included: readonly string[]
  readonly excluded: readonly string[]
  readonly includedContexts: readonly MovedKeys[]
  readonly excludedContexts: readonly MovedKeys[]
  readonly rules: readonly MovedSegmentRule[]
  /** Set for a big segment, which is made without its keys: the kind of its contexts. */
  readonly unboundedContextKind?: string
}

/** Keys of contexts of one kind. */
export interface MovedKeys {
  readonly contextKind: string
  readonly values: readonly string[]
}

/** A rule of a segment. */
export interface MovedSegmentRule {
  /** Made anew where it is left out. */
  readonly _id?: string
  readonly description?: string
  readonly clauses: readonly Clause[]
  /** Thousandths of a percent of the contexts that the clauses match; all where left out. */
  readonly weight?: number
  readonly rolloutContextKind?: string
  readonly bucketBy?: string
}

/** A flag, in all environments. */
export interface MovedFlag {
  readonly key: string
  /** What it is called in the export: what the vendor's evaluator is asked for. */
  readonly from: string
  readonly name: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly temporary: boolean
  /** Two at least, all of one type, none twice; left out of a migration flag. */
  readonly variations?: readonly MovedVariation[]
  readonly customProperties?: Readonly<Record<string, { readonly name: string; readonly value: readonly string[] }>>
  readonly clientSideAvailability?: { readonly usingEnvironmentId: boolean; readonly usingMobileKey: boolean }
  readonly migrationSettings?: { readonly stageCount: 2 | 4 | 6; readonly contextKind?: string }
  readonly archived: boolean
  readonly deprecated: boolean
  /** By key of an environment; where one is left out the flag stays as it is there. */
  readonly configs: Readonly<Record<string, MovedConfig>>
}

/** A variation of a flag. */
export interface MovedVariation {
  readonly value: unknown
  readonly name?: string
  readonly description?: string
}

/** How a flag behaves in one environment. Variations are named by their index. */
export interface MovedConfig {
  readonly on: boolean
  readonly targets: readonly MovedTarget[]
  readonly contextTargets: readonly MovedTarget[]
  readonly rules: readonly MovedRule[]
  readonly fallthrough: MovedServe
  /** Whoever asks gets their own default where it is left out. */
  readonly offVariation?: number
  readonly prerequisites: readonly { readonly key: string; readonly variation: number }[]
  readonly trackEvents: boolean
  readonly trackEventsFallthrough: boolean
}

/** Keys of contexts of one kind that get a variation. */
export interface MovedTarget extends MovedKeys {
  readonly variation: number
}

/** A variation or a rollout. */
export interface MovedServe {
  readonly variation?: number
  readonly rollout?: MovedRollout
}

/** Weights are thousandths of a percent and come to 100,000. */
export interface MovedRollout {
  readonly variations: readonly { readonly variation: number; readonly weight: number }[]
  readonly contextKind: string
  readonly bucketBy?: string
}

/** A rule of a flag. */
export interface MovedRule extends MovedServe {
  /** Made anew where it is left out. */
  readonly _id?: string
  readonly description?: string
  readonly clauses: readonly Clause[]
  readonly trackEvents: boolean
}

/** Something of the export that does not carry over as it is. */
export interface Loss {
  /** Key of the flag or segment here; neither where it is about the whole export. */
  readonly flag?: string
  readonly segment?: string
  readonly environment?: string
  /** Where it stands in the export, as a JSON pointer. */
  readonly at?: string
  /** What it is, e.g. `strategy remoteAddress`. */
  readonly what: string
  readonly why: string
  /** What there is in its place, or what to do. */
  readonly instead: string
  readonly affects: LossEffect
}

/**
 * What a loss may change: the `values` that contexts get; only the `shares` of a rollout that they fall in; or `nothing` that
 * is evaluated, such as a maintainer.
 */
export type LossEffect = 'values' | 'shares' | 'nothing'

/** A value of a context attribute. */
export interface AttributeExample {
  readonly contextKind: string
  /** As a clause names it. */
  readonly attribute: string
  readonly value: ClauseValue
}

export type { Clause, ClauseOperator, ClauseValue }

/** An empty segment of an environment, to be filled. */
export function emptySegment(environmentKey: string, key: string, name: string): MovedSegment {
  const none = { included: [], excluded: [], includedContexts: [], excludedContexts: [], rules: [] }
  return { environmentKey, key, name, tags: [], ...none }
}
