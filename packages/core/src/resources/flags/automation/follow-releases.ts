import type { Environment } from '../../../models/environments/environment.ts'
import {
  type AutomatedRelease,
  activeReleases,
  maxEndedReleases,
  releaseSentence,
  servedByRelease,
} from '../../../models/flags/automated-release.ts'
import { automatedReleaseTasks } from '../../../models/flags/automated-release-tasks.ts'
import type { Flag } from '../../../models/flags/flag.ts'
import type { ConfigKeys, FlagConfig } from '../../../models/flags/flag-config.ts'
import type { WriteContext } from '../../../operation/context.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { endAutomation, isActive, startAutomation } from '../../../rules/release/automation.ts'
import type { Sentence } from '../../../rules/sentences/sentence.ts'
import { mandateOf } from '../../tokens/mandate.ts'
import { needsApproval } from '../changes/flag-approval.ts'
import { applyingPolicy } from './applying-policy.ts'
import { measureReleases } from './measure-releases.ts'
import { planOf } from './policy-plan.ts'
import { releasedServes } from './released-serves.ts'
import { replaceServe, serveOf } from './rule-serve.ts'

type FollowContext = Pick<WriteContext, 'tx' | 'readClock' | 'useHost' | 'caller'>

/** A change of a configuration, with what its automated releases depend on. */
export interface ReleasedChange {
  readonly keys: ConfigKeys
  readonly environment: Environment
  /** The flag after the change. */
  readonly flag: Flag
  /** The configurations before and after the change, with variations numbered as in `flag`. */
  readonly before: FlagConfig
  readonly after: FlagConfig
  /** Id of the release that makes the change as its next step; undefined for any other change. */
  readonly stepOf: string | undefined
  /** False for a change to which release policies do not apply, because it restores an earlier state. */
  readonly underPolicies: boolean
}

interface FollowResult {
  readonly config: FlagConfig
  /** Sentences about what the engine did because of the change. */
  readonly sentences: readonly Sentence[]
}

/**
 * Completes a change of a configuration: starts releases that the release policy requires, ends releases whose rule was
 * changed by hand, and enqueues the next step of each running release.
 */
export async function followReleases(context: FollowContext, change: ReleasedChange): Promise<FollowResult> {
  const now = context.readClock()
  const continuedReleases = (change.after.automatedReleases ?? []).map((release) => endedByHand(change, release, now))
  const ended = withReleases(change.after, continuedReleases)
  const started = await startByPolicy(context, { ...change, after: ended }, now)
  const earlier = new Map((change.after.automatedReleases ?? []).map((release) => [release.id, release]))
  const sentences = (started.automatedReleases ?? [])
    .filter((release) => !jsonEqual(release, earlier.get(release.id)))
    .map(
      (release): Sentence =>
        ({ it }) =>
          releaseSentence(release, earlier.get(release.id), it),
    )
  const releases = await measureReleases(
    context,
    change,
    { before: change.before.automatedReleases ?? [], after: started.automatedReleases ?? [] },
    now,
  )
  return { config: await enqueueSteps(context, change, withReleases(started, releases)), sentences }
}

/**
 * Returns the release, stopped if the change ended it: the flag was turned off, or the rule was removed or no longer
 * serves the rollout of the release. A rule that serves something else was changed by hand.
 */
function endedByHand(
  { flag, before, after }: ReleasedChange,
  release: AutomatedRelease,
  now: number,
): AutomatedRelease {
  if (!isActive(release)) return release
  const stop = (reason: string) => endAutomation(release, { status: 'stopped', now, reason })
  if (before.on && !after.on) return stop('the flag was turned off')
  const served = serveOf(after, release.ruleId)
  if (!served) return stop('its rule was removed')
  return jsonEqual(served, servedByRelease(flag, release)) ? release : stop('its rule was changed by hand')
}

async function startByPolicy(context: FollowContext, change: ReleasedChange, now: number): Promise<FlagConfig> {
  const { flag, before, after, keys, stepOf, underPolicies } = change
  if (!underPolicies || stepOf !== undefined) return after
  const serves = releasedServes(flag, before, after)
  const policy = serves.length > 0 ? await applyingPolicy(context.tx, keys, flag) : undefined
  if (!policy || policy.releaseMethod === 'immediate-release') return after
  const { newId } = context.useHost()
  let config = after
  for (const serve of serves) {
    const plan = { ...planOf(policy, flag, serve), id: newId(), mandate: mandateOf(context.caller) }
    const release = startAutomation({ ...plan, approved: false, taskId: '' }, now)
    const served = servedByRelease(flag, release)
    if (!served) continue
    config = replaceServe(withReleases(config, [...(config.automatedReleases ?? []), release]), serve.ruleId, served)
  }
  return config
}

/**
 * Enqueues the next step of each running release without a task: a release that was started, resumed, restored or
 * advanced. The caller becomes the author of the release, unless the change is a step of it.
 */
async function enqueueSteps(context: FollowContext, change: ReleasedChange, config: FlagConfig): Promise<FlagConfig> {
  const { keys, environment, flag, before, stepOf } = change
  const current = new Map(activeReleases(before).map((release) => [release.id, release]))
  const needsTask = (release: AutomatedRelease) => {
    const { stage, nextStepAt } = current.get(release.id) ?? {}
    return release.status === 'running' && (stage !== release.stage || nextStepAt !== release.nextStepAt)
  }
  const releases = config.automatedReleases ?? []
  if (!releases.some(needsTask)) return withReleases(config, releases)
  const { newId } = context.useHost()
  // A change that requires approval is committed only if it was approved. The approval then includes all steps of the
  // releases that the change starts.
  const approved = await needsApproval(context.tx, keys, { environment, tags: flag.tags })
  const stamped = releases.map((release) => {
    if (!needsTask(release)) return release
    const author = release.id === stepOf ? {} : { mandate: mandateOf(context.caller) }
    const approval = current.has(release.id) ? {} : { approved }
    const { projectKey, environmentKey, flagKey } = keys
    const { id, nextStepAt: time = release.startedAt } = release
    const task = { id: newId(), lane: '', at: time, due: time, body: { projectKey, environmentKey, flagKey, id } }
    context.tx.enqueue(automatedReleaseTasks, keys, [task])
    return { ...release, ...author, ...approval, taskId: task.id }
  })
  return withReleases(config, stamped)
}

/** Returns a configuration with these releases. Only the newest of the ended releases are kept. */
function withReleases(config: FlagConfig, releases: readonly AutomatedRelease[]): FlagConfig {
  const { automatedReleases: _, ...rest } = config
  const ended = releases.filter((release) => !isActive(release))
  const dropped = new Set(ended.slice(0, Math.max(0, ended.length - maxEndedReleases)))
  const retained = releases.filter((release) => !dropped.has(release))
  return retained.length === 0 ? rest : { ...rest, automatedReleases: retained }
}
