import { jsonEqual } from '../../rules/json-equal.ts'
import { type Automation, isActive, servedByAutomation } from '../../rules/release/automation.ts'
import type { Subject } from '../../rules/sentences/sentence.ts'
import type { Serve } from '../../rules/targeting/serve.ts'
import type { PartActions } from '../../storage/collection.ts'
import type { Mandate } from '../tokens/mandate.ts'
import type { Flag } from './flag.ts'

/**
 * A release of a variation that the engine performs in stages
 * (docs/decisions/0061-perform-releases-as-tasks-of-a-configuration.md). The release is a part of the configuration
 * whose rule it changes, so every commit contains both.
 */
export interface AutomatedRelease extends Automation {
  readonly id: string
  /** Id of the rule that the release changes. Absent for the default rule. */
  readonly ruleId?: string
  /** Ids of variations. */
  readonly originalVariationId: string
  readonly targetVariationId: string
  /** Kind of the contexts that are moved from one variation to the other. */
  readonly randomizationUnit: string
  /** Key of the release policy that started the release. */
  readonly policyKey?: string
  /** Id of the audience that this release serves; only for a phase of a release pipeline. */
  readonly audienceId?: string
  readonly notifyMemberIds?: readonly string[]
  readonly notifyTeamKeys?: readonly string[]
  /**
   * The settings and results by which the engine compares both variations while the release runs. Only guarded releases
   * have this property.
   */
  readonly guard?: ReleaseGuard
  /** The rights of the author. Each step is made with the rights that the author still has at that time. */
  readonly mandate: Mandate
  /**
   * True when the environment required approval when the release was started. The approval of the start then covers its
   * steps.
   */
  readonly approved: boolean
  /** Id of the task of the next step. Tasks of earlier steps have other ids. */
  readonly taskId: string
}

/** The comparison of both variations in a guarded release. */
export interface ReleaseGuard {
  readonly metrics: readonly GuardMetric[]
  /** Number of contexts of each variation below which no metric is judged. */
  readonly minSampleSize: number
  /**
   * The metrics that are judged: the metrics that the release names, and the metrics of the groups that it names. Set
   * by the engine at the start.
   */
  readonly judged?: readonly JudgedMetric[]
  /**
   * Id of the measurement of the current stage. Each stage has its own measurement, because each stage moves contexts.
   */
  readonly measurementId?: string
  /**
   * Reasons for which the engine has held the release: keys of metrics, or `sampleRatio`. A caller who resumes the
   * release accepts them, so they do not hold it again.
   */
  readonly accepted?: readonly string[]
  /**
   * The text of `reason` that the release got when the engine last held it because of a regression. When a caller holds
   * the release, its `reason` is another text.
   */
  readonly regression?: string
}

/** A metric that a running release judges. */
export interface JudgedMetric {
  readonly key: string
  readonly rollsBack: boolean
}

/** A metric or a metric group of a guarded release, with the reaction to a regression. */
export interface GuardMetric {
  readonly key: string
  readonly isGroup: boolean
  /** True when the engine rolls the release back after a regression; false when it only holds the release. */
  readonly rollsBack: boolean
}

/** Returns a release without the properties that the engine sets again when it restores the release. */
export function withoutBookkeeping({ taskId: _, mandate: __, guard, ...release }: AutomatedRelease): object {
  const { measurementId: ___, ...settings } = guard ?? {}
  return { ...release, guard: settings }
}

/** The part of a configuration that contains its releases. */
interface ConfigReleases {
  readonly automatedReleases?: readonly AutomatedRelease[]
}

/** Number of ended releases that a configuration keeps. */
export const maxEndedReleases = 20

/** Returns the releases of a configuration that have not ended. */
export function activeReleases({ automatedReleases = [] }: ConfigReleases): readonly AutomatedRelease[] {
  return automatedReleases.filter(isActive)
}

/** States of guarded releases by which lists find flags. */
export const guardedReleaseStates = ['monitoring', 'regressed', 'rolledBack', 'completed', 'stopped'] as const

export type GuardedReleaseState = (typeof guardedReleaseStates)[number]

/** Returns the states of the latest guarded release of each rule of a configuration, each once. */
export function guardedStatesOf({ automatedReleases = [] }: ConfigReleases): readonly GuardedReleaseState[] {
  const guarded = automatedReleases.filter(({ kind }) => kind === 'guarded')
  const latestByRule = new Map(guarded.map((release) => [release.ruleId, release]))
  return [...new Set([...latestByRule.values()].map(guardedStateOf))]
}

/**
 * Returns the state of a guarded release. A held release is `regressed` when the engine holds it because of its guard.
 */
function guardedStateOf({ status, guard, reason }: AutomatedRelease): GuardedReleaseState {
  if (status === 'held')
    return guard?.regression !== undefined && guard.regression === reason ? 'regressed' : 'monitoring'
  return status === 'running' ? 'monitoring' : status
}

/**
 * Returns what the rule of a release serves in its current state; undefined after it was stopped, and when the flag no
 * longer has its variations.
 */
export function servedByRelease(
  { variations }: Pick<Flag, 'variations'>,
  release: AutomatedRelease,
): Serve | undefined {
  const indexOf = (id: string) => variations.findIndex(({ _id }) => _id === id)
  const [original, target] = [indexOf(release.originalVariationId), indexOf(release.targetVariationId)]
  if (original < 0 || target < 0) return undefined
  return servedByAutomation(release, { original, target, contextKind: release.randomizationUnit })
}

/** Returns the releases that differ between two configurations: each after the change, and before it (`previous`). */
function changedReleases(before: ConfigReleases, after: ConfigReleases) {
  const earlier = new Map((before.automatedReleases ?? []).map((release) => [release.id, release]))
  return (after.automatedReleases ?? [])
    .map((release) => ({ release, previous: earlier.get(release.id) }))
    .filter(({ release, previous }) => !jsonEqual(release, previous))
}

/**
 * The actions that changes of automated releases need: the actions for changes of the rules that the releases change.
 * The end of a release needs no action, because it is the consequence of a change that needs one.
 */
export const releaseActions: PartActions<ConfigReleases> = {
  actions: ['updateFallthrough', 'updateRules'],
  of: (before, after) => {
    const changed = changedReleases(before, after).filter(({ release, previous }) => isActive(release) || !previous)
    // A revert of the start removes the release. Other ended releases are dropped only when a release is added.
    const removed = changed.length > 0 ? [] : changedReleases(after, before).filter(({ previous }) => !previous)
    const actions = [...changed, ...removed].map(({ release }) =>
      release.ruleId === undefined ? 'updateFallthrough' : 'updateRules',
    )
    return [...new Set(actions)]
  },
}

/** Returns sentences about the automated releases that were started, advanced, held, resumed or ended. */
export function releaseSentences(before: ConfigReleases, after: ConfigReleases, { it }: Subject): string[] {
  return changedReleases(before, after).map(({ release, previous }) => releaseSentence(release, previous, it))
}

/**
 * Returns a sentence about the change of a release.
 *
 * @param previous its state before; undefined when it has been started.
 * @param it the flag and its environment.
 */
export function releaseSentence(release: AutomatedRelease, previous: AutomatedRelease | undefined, it: string): string {
  const { kind, status, stage, stages, reason } = release
  const name = `the ${kind} release of ${release.ruleId === undefined ? it : `a rule of ${it}`}`
  const because = reason === undefined ? '' : `: ${reason}`
  if (status === 'completed') return `ended ${name}, which serves all contexts now`
  if (status === 'rolledBack') return `rolled back ${name}${because}`
  if (status === 'stopped') return `stopped ${name}${because}`
  if (status === 'held') return `held ${name}${because}`
  const percent = `${(stages[stage]?.allocation ?? 0) / 1_000} %`
  if (!previous || !isActive(previous)) return `started ${name} with ${percent} of contexts`
  if (previous.status === 'running' && previous.stage === stage) return `held ${name} at its stage${because}`
  if (previous.status === 'held') return `resumed ${name} at ${percent} of contexts`
  return `moved ${name} to stage ${stage + 1} of ${stages.length} with ${percent} of contexts`
}
