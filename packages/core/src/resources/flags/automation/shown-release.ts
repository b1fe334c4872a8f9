import * as v from 'valibot'
import type { AutomatedRelease } from '../../../models/flags/automated-release.ts'
import type { ResponseFormat } from '../../../operation/context.ts'
import { list, timestamp } from '../../../operation/schema.ts'
import { automationKinds, automationStatuses } from '../../../rules/release/automation.ts'

/** Properties of an automated release in a response. */
export const automatedReleaseEntries = {
  id: v.string(),
  kind: v.picklist(automationKinds),
  status: v.picklist(automationStatuses),
  ruleId: v.optional(v.string()),
  originalVariationId: v.string(),
  targetVariationId: v.string(),
  randomizationUnit: v.string(),
  stages: list(v.object({ allocation: v.number(), durationMillis: v.number() })),
  latestStageIndex: v.number(),
  stageStartedAt: timestamp(),
  /** The stages that have ended, in the order of time. */
  passedStages: v.optional(list(v.object({ stageIndex: v.number(), startedAt: timestamp(), endedAt: timestamp() }))),
  /** Time of the next step. Only while the release is running. */
  nextStepAt: v.optional(timestamp()),
  startedAt: timestamp(),
  endedAt: v.optional(timestamp()),
  /** Reason why the release is held or ended before its last stage. */
  reason: v.optional(v.string()),
  metrics: v.optional(list(v.object({ key: v.string(), isGroup: v.boolean(), autoRollback: v.boolean() }))),
  minSampleSize: v.optional(v.number()),
  releasePolicyKey: v.optional(v.string()),
  audienceId: v.optional(v.string()),
  notifyMemberIds: v.optional(list(v.string())),
  notifyTeamKeys: v.optional(list(v.string())),
  /** Member with whose rights the steps are performed. */
  _maintainerId: v.optional(v.string()),
}

type ShownRelease = v.InferOutput<v.ObjectSchema<typeof automatedReleaseEntries, undefined>>

/** Serializes an automated release as a part of its flag. */
export function shownRelease({ time }: ResponseFormat, release: AutomatedRelease): ShownRelease {
  const { stage, stageStartedAt, nextStepAt, startedAt, endedAt, guard, policyKey, mandate, passedStages, ...rest } =
    release
  const { remainingMillis: _, approved: __, taskId: ___, ...properties } = rest
  const metrics = guard?.metrics.map(({ key, isGroup, rollsBack }) => ({ key, isGroup, autoRollback: rollsBack }))
  return {
    ...properties,
    latestStageIndex: stage,
    stageStartedAt: time(stageStartedAt),
    ...(passedStages
      ? {
          passedStages: passedStages.map(({ stage, startedAt, endedAt }) => ({
            stageIndex: stage,
            startedAt: time(startedAt),
            endedAt: time(endedAt),
          })),
        }
      : {}),
    ...(nextStepAt === undefined ? {} : { nextStepAt: time(nextStepAt) }),
    startedAt: time(startedAt),
    ...(endedAt === undefined ? {} : { endedAt: time(endedAt) }),
    ...(guard && metrics ? { metrics, minSampleSize: guard.minSampleSize } : {}),
    ...(policyKey === undefined ? {} : { releasePolicyKey: policyKey }),
    ...(mandate.memberId === undefined ? {} : { _maintainerId: mandate.memberId }),
  }
}
