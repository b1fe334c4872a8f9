import { environments } from '../../models/environments/environment.ts'
import { type AutomatedRelease, releaseSentence, servedByRelease } from '../../models/flags/automated-release.ts'
import { type AutomatedReleaseTask, automatedReleaseTasks } from '../../models/flags/automated-release-tasks.ts'
import { flags } from '../../models/flags/flag.ts'
import { type FlagConfig, flagConfigs } from '../../models/flags/flag-config.ts'
import type { WriteContext } from '../../operation/context.ts'
import { fail } from '../../operation/errors.ts'
import { dropTask } from '../../operation/tasks/drop-task.ts'
import { performOrRecord } from '../../operation/tasks/perform-or-record.ts'
import type { TaskContext, TaskResult, TaskWorker, TaskWorkerTools } from '../../operation/tasks/task-worker.ts'
import { endAutomation, extendStage, holdAutomation, stepAutomation } from '../../rules/release/automation.ts'
import type { Replacement } from '../../storage/collection.ts'
import type { TakenTask } from '../../storage/port.ts'
import { replaceServe } from '../flags/automation/rule-serve.ts'
import { saveFlag } from '../flags/changes/save-flag.ts'
import { callerOfMandate } from '../tokens/mandate.ts'
import { type Judgment, judgeRelease } from './judge-release.ts'

type ReleaseReplacement = Replacement<AutomatedRelease, AutomatedReleaseTask>

/** Maximum duration of one step, ms. */
const maxMs = 5_000

/**
 * Makes the worker of automated releases. Each step is one change of the flag with the rights that the author of the
 * release still has. When a step is refused, the release is held, and the reason is stored.
 */
export function automatedReleaseWorker({ storage }: Pick<TaskWorkerTools, 'storage'>): TaskWorker {
  return {
    queue: automatedReleaseTasks.name,
    caller: 'system/automated-releases',
    maxMs,
    async work(task, context) {
      const keys = task.body as AutomatedReleaseTask
      const config = await context.tx.get(flagConfigs, keys)
      const release = keys.judges ? measuredRelease(config, keys.id) : releaseOf(config, task.id)
      // The release ended, or got another task, after this task was enqueued.
      if (!release) return drop(context, keys, task)
      const judgment = await judgeRelease(context.tx, keys, release)
      const now = context.host.now()
      if (judgment.verdict === 'regression') {
        return guard(context, task, { keys, before: release, after: afterRegression(release, judgment, now) })
      }
      if (keys.judges) return drop(context, keys, task)
      if (judgment.verdict === 'collecting' && now >= (release.nextStepAt ?? now)) {
        return guard(context, task, { keys, before: release, after: extendStage(release, now, judgment.reason) })
      }
      return performOrRecord(context, task, {
        id: 'stepAutomatedRelease',
        author: await callerOfMandate(storage, release.mandate, `automated-release/${release.id}`),
        async perform(context) {
          context.tx.finish(automatedReleaseTasks, keys, task)
          const after = stepAutomation(release, context.readClock())
          await saveRelease(context, { keys, before: release, after })
        },
        async recordFailure(context, reason) {
          context.tx.finish(automatedReleaseTasks, keys, task)
          const after = holdAutomation(release, context.readClock(), reason)
          await saveRelease(context, { keys, before: release, after })
        },
      })
    },
  }
}

function drop(context: TaskContext, keys: AutomatedReleaseTask, task: TakenTask): Promise<TaskResult> {
  return dropTask(context, 'stepAutomatedRelease', (tx) => tx.finish(automatedReleaseTasks, keys, task))
}

/**
 * Rolls a release back, or keeps it at its stage. The engine does both by itself, without the rights of the author.
 * Neither a rollback nor a kept stage serves the new variation to more contexts, and missing rights must not delay the
 * reaction to a regression.
 */
async function guard(context: TaskContext, task: TakenTask, replacement: ReleaseReplacement): Promise<TaskResult> {
  const written = await context.write('guardAutomatedRelease', async (context) => {
    context.tx.finish(automatedReleaseTasks, replacement.keys, task)
    await saveRelease(context, replacement, true)
  })
  return { outcome: written ? 'done' : 'lost' }
}

function afterRegression(
  release: AutomatedRelease,
  { reason, report, rollsBack }: Extract<Judgment, { readonly verdict: 'regression' }>,
  now: number,
): AutomatedRelease {
  if (rollsBack) return endAutomation(release, { status: 'rolledBack', now, reason })
  const heldRelease = holdAutomation(release, now, reason)
  const { guard } = heldRelease
  // A caller who resumes the release accepts the report, so the same report does not hold the release again.
  if (!guard) return heldRelease
  return { ...heldRelease, guard: { ...guard, accepted: [...(guard.accepted ?? []), report], regression: reason } }
}

function measuredRelease(config: FlagConfig | undefined, id: string): AutomatedRelease | undefined {
  return config?.automatedReleases?.find(
    (release) => release.guard?.measurementId === id && release.status === 'running',
  )
}

function releaseOf(config: FlagConfig | undefined, taskId: string): AutomatedRelease | undefined {
  return config?.automatedReleases?.find((release) => release.taskId === taskId && release.status === 'running')
}

/**
 * Stores the new state of a release, and makes its rule serve the rollout of this state.
 *
 * @param isAllowed true when an environment that requires approval does not have to approve the change.
 * @throws ApiError `not_found` when the flag or its environment was deleted.
 */
async function saveRelease(
  context: WriteContext,
  { keys, before, after }: ReleaseReplacement,
  isAllowed = false,
): Promise<void> {
  const { tx } = context
  const [flag, environment, config] = await Promise.all([
    tx.get(flags, keys),
    tx.get(environments, keys),
    tx.get(flagConfigs, keys),
  ])
  // If another call has changed the release in the meantime, this attempt ends, and the task is taken again.
  if (!flag || !environment || !config || releaseOf(config, before.taskId) === undefined) return fail('not_found')
  const { projectKey, environmentKey, flagKey } = keys
  const { bypassApprovalsForPendingChanges } = environment.approvalSettings
  if (isAllowed || before.approved || bypassApprovalsForPendingChanges) {
    context.setApproved({ kind: 'flag', projectKey, environmentKey, resourceKey: flagKey })
  }
  const served = servedByRelease(flag, after)
  const replaced = (config.automatedReleases ?? []).map((other) => (other.id === after.id ? after : other))
  const released = { ...config, automatedReleases: replaced }
  const configs = new Map([[environmentKey, served ? replaceServe(released, after.ruleId, served) : released]])
  const state = { flag, environments: [environment], configs: new Map([[environmentKey, config]]) }
  await saveFlag(
    context,
    { keys: { projectKey, flagKey }, before: state },
    {
      flag,
      configs,
      comment: releaseSentence(after, before, flag.name),
      stepOf: after.id,
      sentences: { flag: [], config: [({ it }) => releaseSentence(after, before, it)] },
      refuse: (problems) =>
        fail('invalid_request', { errors: problems.map(({ attribute, reason }) => ({ attribute, reason })) }),
    },
  )
  context.setComment(releaseSentence(after, before, flag.name))
}
