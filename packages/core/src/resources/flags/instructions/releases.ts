import { castDraft, type Draft } from 'immer'
import * as v from 'valibot'
import { type AutomatedRelease, servedByRelease } from '../../../models/flags/automated-release.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import { dictionary, key, list, text } from '../../../operation/schema.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import {
  automationKinds,
  defaultSampleSize,
  endAutomation,
  holdAutomation,
  isActive,
  resumeAutomation,
  startAutomation,
} from '../../../rules/release/automation.ts'
import { withClauseIds } from '../../../rules/targeting/clause.ts'
import type { Serve } from '../../../rules/targeting/serve.ts'
import { distinctKeys } from '../../members/member-schema.ts'
import { contextKind } from '../../targeting/clause-schema.ts'
import type { InstructionSubject } from '../../targeting/instruction.ts'
import { newClauseRequest } from '../../targeting/new-clause.ts'
import { variationIndexOf } from '../../targeting/serve-request.ts'
import { memberIds } from '../../teams/team-instruction.ts'
import { releaseStages } from '../automation/release-stages.ts'
import { replaceServe } from '../automation/rule-serve.ts'
import { type Edit, environmentInstruction } from './instruction.ts'

const ruleId = v.optional(v.string())

const startEntries = {
  releaseKind: v.picklist(automationKinds),
  originalVariationId: v.string(),
  targetVariationId: v.string(),
  randomizationUnit: v.optional(contextKind(), 'user'),
  stages: releaseStages(),
  ruleId,
  /** Clauses of a new rule, which the release adds after all other rules. */
  clauses: v.optional(list(newClauseRequest)),
  description: v.optional(text()),
  metrics: v.optional(list(v.strictObject({ key: key(), isGroup: v.optional(v.boolean(), false) })), []),
  metricMonitoringPreferences: v.optional(dictionary(v.string(), v.strictObject({ autoRollback: v.boolean() })), {}),
  minSampleSize: v.optional(v.pipe(v.number(), v.safeInteger('must be an integer'), v.minValue(1, 'must be positive'))),
  /** Id of the audience of a release phase that the release serves. */
  audienceId: v.optional(v.string()),
  notifyMemberIds: v.optional(memberIds()),
  notifyTeamKeys: v.optional(distinctKeys()),
}

type StartRequest = v.InferOutput<v.ObjectSchema<typeof startEntries, undefined>>

/** Instructions that start, hold, resume and stop the automated release of a rule or of the default rule. */
export const releaseInstructions = [
  environmentInstruction({
    kind: 'startAutomatedRelease',
    sentence: (subject, { releaseKind, targetVariationId, ruleId }) =>
      `started the ${releaseKind} release of ${subject.variation(targetVariationId)} in ${ruleOf(subject, ruleId)}`,
    entries: startEntries,
    apply: startRelease,
  }),
  environmentInstruction({
    kind: 'stopAutomatedRelease',
    sentence: (subject, { finalVariationId, ruleId }) =>
      `stopped the release in ${ruleOf(subject, ruleId)}, which serves ${subject.variation(finalVariationId)}`,
    entries: { finalVariationId: v.string(), ruleId },
    apply: (edit, { finalVariationId, ruleId }) => {
      const serve = { variation: variationIndexOf(edit, finalVariationId, 'finalVariationId') }
      const release = findActive(edit, ruleId)
      // Stopping a release that was already stopped changes nothing.
      if (!release && jsonEqual(serveOfRule(edit, ruleId), serve)) return
      replace(
        edit,
        endAutomation(release ?? refuseMissing(edit), {
          status: 'stopped',
          now: edit.now,
          reason: 'a caller stopped it',
        }),
      )
      serveByRule(edit, ruleId, serve)
    },
  }),
  environmentInstruction({
    kind: 'holdAutomatedRelease',
    sentence: (subject, { ruleId }) => `held the release in ${ruleOf(subject, ruleId)}`,
    entries: { ruleId },
    apply: (edit, { ruleId }) => {
      replace(edit, holdAutomation(findActive(edit, ruleId) ?? refuseMissing(edit), edit.now, 'a caller held it'))
    },
  }),
  environmentInstruction({
    kind: 'resumeAutomatedRelease',
    sentence: (subject, { ruleId }) => `resumed the release in ${ruleOf(subject, ruleId)}`,
    entries: { ruleId },
    apply: (edit, { ruleId }) => {
      replace(edit, resumeAutomation(findActive(edit, ruleId) ?? refuseMissing(edit), edit.now))
    },
  }),
] as const

function ruleOf(subject: InstructionSubject, id: string | undefined): string {
  return id === undefined ? subject.it : `${subject.rule(id)} of ${subject.it}`
}

/** Starts a release. When the rule has an active release with the same plan, nothing changes. */
function startRelease(edit: Edit, request: StartRequest): void {
  requireReleasable(edit, request)
  const ruleId = request.clauses ? addedRule(edit, request) : request.ruleId
  if (ruleId !== undefined && !edit.config.rules.some(({ _id }) => _id === ruleId)) {
    edit.refuse('ruleId', 'must be the _id of a rule')
  }
  const plan = planOf(edit, request, ruleId)
  const current = findActive(edit, ruleId)
  if (current) {
    if (jsonEqual(settingsOf(current), settingsOf(plan))) return
    edit.refuse('ruleId', 'must be a rule without an active release: stop that release first')
  }
  const release = startAutomation(plan, edit.now)
  edit.config.automatedReleases = castDraft([...(edit.config.automatedReleases ?? []), release])
  serveByRule(edit, ruleId, servedByRelease(edit.flag, release) as Serve)
}

function requireReleasable(edit: Edit, request: StartRequest): void {
  const { originalVariationId, targetVariationId, releaseKind, clauses, metrics } = request
  const [original, target] = (['originalVariationId', 'targetVariationId'] as const).map((attribute) =>
    variationIndexOf(edit, request[attribute], attribute),
  )
  if (original === target || originalVariationId === targetVariationId) {
    edit.refuse('targetVariationId', 'must not be the original variation')
  }
  if (edit.flag.migrationSettings)
    edit.refuse('kind', 'must not be used with a migration flag, which has stages itself')
  if (clauses && request.ruleId !== undefined) edit.refuse('clauses', 'must be left out when there is a ruleId')
  if (releaseKind === 'progressive' && metrics.length > 0) {
    edit.refuse('metrics', 'must be left out, except when the release kind is guarded')
  }
}

/** Adds the rule of a release, with the variation that the release starts from, and returns its id. */
function addedRule(edit: Edit, { clauses = [], description, originalVariationId }: StartRequest): string {
  const _id = edit.newId()
  const variation = variationIndexOf(edit, originalVariationId, 'originalVariationId')
  const rule = { _id, clauses: withClauseIds(clauses, edit.newId), variation, trackEvents: false }
  edit.config.rules.push(castDraft({ ...rule, ...(description === undefined ? {} : { description }) }))
  return _id
}

function planOf(edit: Edit, request: StartRequest, ruleId: string | undefined) {
  const { releaseKind, originalVariationId, targetVariationId, randomizationUnit, stages } = request
  const { audienceId, notifyMemberIds, notifyTeamKeys, metrics, metricMonitoringPreferences } = request
  const rollsBack = (key: string) => metricMonitoringPreferences[key]?.autoRollback ?? false
  const guard = {
    metrics: metrics.map(({ key, isGroup }) => ({ key, isGroup, rollsBack: rollsBack(key) })),
    minSampleSize: request.minSampleSize ?? defaultSampleSize,
  }
  return {
    id: edit.newId(),
    kind: releaseKind,
    ...(ruleId === undefined ? {} : { ruleId }),
    originalVariationId,
    targetVariationId,
    randomizationUnit,
    stages,
    ...(releaseKind === 'guarded' ? { guard } : {}),
    ...(audienceId === undefined ? {} : { audienceId }),
    ...(notifyMemberIds ? { notifyMemberIds } : {}),
    ...(notifyTeamKeys ? { notifyTeamKeys } : {}),
    mandate: edit.mandate,
    // The engine sets both properties when it stores the release.
    approved: false,
    taskId: '',
  }
}

function settingsOf(release: Omit<AutomatedRelease, 'status' | 'stage' | 'startedAt' | 'stageStartedAt'>): object {
  const { kind, ruleId, originalVariationId, targetVariationId, randomizationUnit, stages } = release
  // The engine adds the measurement and the judged metrics to the guard at the start.
  const guard = release.guard && { metrics: release.guard.metrics, minSampleSize: release.guard.minSampleSize }
  return { kind, ruleId, originalVariationId, targetVariationId, randomizationUnit, stages, guard }
}

function findActive({ config }: Edit, ruleId: string | undefined): AutomatedRelease | undefined {
  const releases = (config as FlagConfig).automatedReleases ?? []
  return releases.find((release) => isActive(release) && release.ruleId === ruleId)
}

function refuseMissing({ refuse }: Edit): never {
  return refuse('ruleId', 'must name a rule with an active release, or be left out for the default rule')
}

function replace({ config }: Edit, release: AutomatedRelease): void {
  const { automatedReleases = [] } = config as FlagConfig
  config.automatedReleases = castDraft(automatedReleases.map((other) => (other.id === release.id ? release : other)))
}

function serveOfRule({ config }: Edit, ruleId: string | undefined): Serve | undefined {
  if (ruleId === undefined) return config.fallthrough as Serve
  const rule = config.rules.find(({ _id }) => _id === ruleId)
  return rule && { variation: rule.variation }
}

function serveByRule({ config }: Edit, ruleId: string | undefined, serve: Serve): void {
  const { rules, fallthrough } = replaceServe(config as FlagConfig, ruleId, serve)
  config.rules = castDraft(rules) as Draft<FlagConfig['rules']>
  config.fallthrough = castDraft(fallthrough)
}
