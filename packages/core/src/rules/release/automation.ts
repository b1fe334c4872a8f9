import { type Serve, wholeWeight } from '../targeting/serve.ts'

/** The fraction of contexts that get the target variation, and the time until the next stage. */
export interface ReleaseStage {
  /** Thousandths of a percent. */
  readonly allocation: number
  /** Integer ms. */
  readonly durationMillis: number
}

/** The time during which a release served a stage. */
export interface PassedStage {
  /** Index of the stage. */
  readonly stage: number
  /** Integer ms, UTC. */
  readonly startedAt: number
  readonly endedAt: number
}

/** Kinds of automated releases. A guarded one compares metrics of the two variations while it runs. */
export const automationKinds = ['guarded', 'progressive'] as const

export type AutomationKind = (typeof automationKinds)[number]

/** Statuses of an automated release. The last three are final. */
export const automationStatuses = ['running', 'held', 'completed', 'rolledBack', 'stopped'] as const

export type AutomationStatus = (typeof automationStatuses)[number]

/** The plan of an automated release and its state. Every function of this file returns a new state. */
export interface Automation {
  readonly kind: AutomationKind
  readonly stages: readonly ReleaseStage[]
  readonly status: AutomationStatus
  /** Index of the current stage, or of the last one that was reached. */
  readonly stage: number
  readonly startedAt: number
  /** Time at which the current stage began, integer ms. */
  readonly stageStartedAt: number
  /** The stages that have ended. Absent before the end of the first one. */
  readonly passedStages?: readonly PassedStage[]
  /** Time of the next step, integer ms. Present only while the release is running. */
  readonly nextStepAt?: number
  /** Rest of the duration of the current stage, ms. Present only while the release is held. */
  readonly remainingMillis?: number
  /** Reason why the release is held or ended before its last stage, as a clause. */
  readonly reason?: string
  readonly endedAt?: number
}

/** Default number of contexts that each variation needs before a guarded release judges a metric. */
export const defaultSampleSize = 100

/**
 * Stages of a policy that defines no stages, in thousandths of a percent and ms: a defect reaches few contexts in the
 * first hour, and at most half of all contexts in the third hour.
 */
export const defaultStages: readonly ReleaseStage[] = [1_000, 10_000, 50_000].map((allocation) => ({
  allocation,
  durationMillis: 3_600_000,
}))

/** Returns true until an automated release has ended. */
export function isActive({ status }: Pick<Automation, 'status'>): boolean {
  return status === 'running' || status === 'held'
}

/** Starts the first stage. A plan without stages is complete immediately. */
export function startAutomation<P extends Pick<Automation, 'kind' | 'stages'>>(plan: P, now: number): P & Automation {
  const started = { ...plan, status: 'running', stage: 0, startedAt: now, stageStartedAt: now } as const
  const [first] = plan.stages
  return first ? { ...started, nextStepAt: now + first.durationMillis } : finished(started, 'completed', now)
}

/**
 * Ends the current stage and starts the next one. When the step is late, the next stage still has its whole duration,
 * and no stage is skipped. After the last stage the release is complete.
 *
 * @returns the automated release itself when it is not running or its stage has not ended.
 */
export function stepAutomation<A extends Automation>(automation: A, now: number): A {
  const { status, stage, stages, stageStartedAt, nextStepAt = Number.POSITIVE_INFINITY } = automation
  if (status !== 'running' || now < nextStepAt) return automation
  const next = stages[stage + 1]
  if (!next) return finished(automation, 'completed', now)
  const { reason: _, ...rest } = automation
  const passed: PassedStage = { stage, startedAt: stageStartedAt, endedAt: now }
  const passedStages: Automation['passedStages'] = [...(automation.passedStages ?? []), passed]
  return {
    ...rest,
    stage: stage + 1,
    stageStartedAt: now,
    passedStages,
    nextStepAt: now + next.durationMillis,
  } as A
}

/** Extends the current stage by its duration, because too few contexts are known for a decision. */
export function extendStage<A extends Automation>(automation: A, now: number, reason: string): A {
  const { stages, stage } = automation
  const { durationMillis = 0 } = stages[stage] ?? {}
  return { ...automation, nextStepAt: now + Math.max(durationMillis, minExtension), reason }
}

/** Minimum time by which a stage is extended, ms. */
const minExtension = 1_000

/** Holds a running release. The release continues to serve its stage, and the time of the stage does not advance. */
export function holdAutomation<A extends Automation>(automation: A, now: number, reason?: string): A {
  if (automation.status !== 'running') return automation
  const { nextStepAt = now, reason: _, ...rest } = automation
  const remainingMillis = Math.max(0, nextStepAt - now)
  return { ...rest, status: 'held', remainingMillis, ...(reason === undefined ? {} : { reason }) } as A
}

/** Resumes a held release. Its stage continues for the time that remained when the release was held. */
export function resumeAutomation<A extends Automation>(automation: A, now: number): A {
  if (automation.status !== 'held') return automation
  const { remainingMillis = 0, reason: _, ...rest } = automation
  return { ...rest, status: 'running', nextStepAt: now + remainingMillis } as A
}

/** The end of an automation: its time, its status and the reason. */
export interface AutomationEnd {
  readonly status: 'rolledBack' | 'stopped'
  readonly now: number
  readonly reason: string
}

/** Ends an active release before its last stage. */
export function endAutomation<A extends Automation>(automation: A, { status, now, reason }: AutomationEnd): A {
  return isActive(automation) ? { ...finished(automation, status, now), reason } : automation
}

function finished<A extends Omit<Automation, 'status'>>(
  automation: A,
  status: AutomationStatus,
  now: number,
): A & Automation {
  const { nextStepAt: _, remainingMillis: __, reason: ___, ...rest } = automation
  return { ...rest, status, endedAt: now } as A & Automation
}

/** Indexes of the variations between which a release moves contexts, and the kind of context that is bucketed. */
export interface ReleasedVariations {
  readonly original: number
  readonly target: number
  readonly contextKind: string
}

/**
 * Returns what a rule serves in the current state of its release; undefined after it was stopped, because then a caller
 * decides what the rule serves.
 *
 * The target variation is the first of the rollout. Its range of buckets begins at 0 in every stage, so a context that
 * has the target variation keeps it while the stages grow.
 */
export function servedByAutomation(
  { status, stages, stage }: Automation,
  { original, target, contextKind }: ReleasedVariations,
): Serve | undefined {
  if (status === 'stopped') return undefined
  if (status === 'completed') return { variation: target }
  if (status === 'rolledBack') return { variation: original }
  const weight = (stages[stage] as ReleaseStage).allocation
  return {
    rollout: {
      variations: [
        { variation: target, weight },
        { variation: original, weight: wholeWeight - weight },
      ],
      contextKind,
    },
  }
}
