import type { Clause, ClauseOperator, ClauseValue } from './conditions/clause.ts'

/**
 * An export of another flag service in the terms of this engine. The same code writes the projects of all formats,
 * reports their losses and compares them with the original rules.
 *
 * A new format needs three files and a line. The files are in a folder of their own: `read-<name>.ts` converts the
 * parsed JSON to an imported project, `evaluator.ts` calls the vendor's own evaluator, and `<name>-format.ts` is the
 * {@link FlagFormat} that names both. The line is in `flag-formats.ts`. `compileCondition` uses segments for a
 * condition that one list of clauses cannot express. Nothing is omitted without a {@link Loss}: properties that the
 * reader does not know are losses too.
 */
export interface ImportedProject {
  readonly environments: readonly ImportedEnvironment[]
  /** Context kinds other than `user` that rules use. */
  readonly contextKinds: readonly string[]
  /** Segments in any order: all are created before the first receives rules. */
  readonly segments: readonly ImportedSegment[]
  /** Flags in any order: all are created before the first receives prerequisites. */
  readonly flags: readonly ImportedFlag[]
  readonly losses: readonly Loss[]
  /** Sentences about changes that callers must make, which apply to all flags. */
  readonly advice: readonly string[]
  /** Test values that no clause contains, e.g. one that a pattern matches. */
  readonly examples: readonly AttributeExample[]
}

/** An environment. */
export interface ImportedEnvironment {
  readonly key: string
  readonly name: string
  /** Six hex digits. */
  readonly color?: string
}

/** A segment in one environment. */
export interface ImportedSegment {
  readonly environmentKey: string
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly tags: readonly string[]
  /** Keys of users. */
  readonly included: readonly string[]
  readonly excluded: readonly string[]
  readonly includedContexts: readonly ImportedKeys[]
  readonly excludedContexts: readonly ImportedKeys[]
  readonly rules: readonly ImportedSegmentRule[]
  /** Set for a big segment, which is created without its keys: the kind of its contexts. */
  readonly unboundedContextKind?: string
}

/** Keys of contexts of one kind. */
export interface ImportedKeys {
  readonly contextKind: string
  readonly values: readonly string[]
}

/** A rule of a segment. */
export interface ImportedSegmentRule {
  /** Generated when omitted. */
  readonly _id?: string
  readonly description?: string
  readonly clauses: readonly Clause[]
  /** Thousandths of a percent of the contexts that the clauses match; all contexts if omitted. */
  readonly weight?: number
  readonly rolloutContextKind?: string
  readonly bucketBy?: string
}

/** A flag, in all environments. */
export interface ImportedFlag {
  readonly key: string
  /** Name of the flag in the export, with which the vendor's evaluator is called. */
  readonly from: string
  readonly name: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly temporary: boolean
  /** At least two distinct values of one type; omitted for a migration flag. */
  readonly variations?: readonly ImportedVariation[]
  readonly customProperties?: Readonly<Record<string, { readonly name: string; readonly value: readonly string[] }>>
  readonly clientSideAvailability?: { readonly usingEnvironmentId: boolean; readonly usingMobileKey: boolean }
  readonly migrationSettings?: { readonly stageCount: 2 | 4 | 6; readonly contextKind?: string }
  readonly archived: boolean
  readonly deprecated: boolean
  /** Configurations by environment key; in other environments the flag stays unchanged. */
  readonly configs: Readonly<Record<string, ImportedConfig>>
}

/** A variation of a flag. */
export interface ImportedVariation {
  readonly value: unknown
  readonly name?: string
  readonly description?: string
}

/** The configuration of a flag in one environment. Variations are referred to by their index. */
export interface ImportedConfig {
  readonly on: boolean
  readonly targets: readonly ImportedTarget[]
  readonly contextTargets: readonly ImportedTarget[]
  readonly rules: readonly ImportedRule[]
  readonly fallthrough: ImportedServe
  /** When omitted, the caller receives the default in its code. */
  readonly offVariation?: number
  readonly prerequisites: readonly { readonly key: string; readonly variation: number }[]
  readonly trackEvents: boolean
  readonly trackEventsFallthrough: boolean
}

/** Keys of contexts of one kind that get a variation. */
export interface ImportedTarget extends ImportedKeys {
  readonly variation: number
}

/** A variation or a rollout. */
export interface ImportedServe {
  readonly variation?: number
  readonly rollout?: ImportedRollout
}

/** Weights are thousandths of a percent, and their sum is 100,000. */
export interface ImportedRollout {
  readonly variations: readonly { readonly variation: number; readonly weight: number }[]
  readonly contextKind: string
  readonly bucketBy?: string
}

/** A rule of a flag. */
export interface ImportedRule extends ImportedServe {
  /** Generated when omitted. */
  readonly _id?: string
  readonly description?: string
  readonly clauses: readonly Clause[]
  readonly trackEvents: boolean
}

/** A part of the export that is not imported exactly. */
export interface Loss {
  /** Key of the imported flag; undefined for a loss in a segment or in the whole export. */
  readonly flag?: string
  readonly segment?: string
  readonly environment?: string
  /** Position in the export, as a JSON pointer. */
  readonly at?: string
  /** Name of the part, e.g. `strategy remoteAddress`. */
  readonly what: string
  readonly why: string
  /** The replacement, or the step that the user should take. */
  readonly instead: string
  readonly affects: LossEffect
}

/**
 * The part that a loss changes: the `values` that contexts receive; only the `shares` of a rollout that contexts belong
 * to; or `nothing` that is evaluated, e.g. for a lost maintainer.
 */
export type LossEffect = 'values' | 'shares' | 'nothing'

/** A value of a context attribute. */
export interface AttributeExample {
  readonly contextKind: string
  /** Attribute in the form that clauses use. */
  readonly attribute: string
  readonly value: ClauseValue
}

export type { Clause, ClauseOperator, ClauseValue }

/** Returns an empty segment of an environment, to be filled by the caller. */
export function emptySegment(environmentKey: string, key: string, name: string): ImportedSegment {
  const emptyLists = { included: [], excluded: [], includedContexts: [], excludedContexts: [], rules: [] }
  return { environmentKey, key, name, tags: [], ...emptyLists }
}
