import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { aiConfigTargetings } from '../../models/ai-configs/ai-config-targeting.ts'
import { environments } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { flags } from '../../models/flags/flag.ts'
import { type ConfigKeys, type FlagConfig, flagConfigs } from '../../models/flags/flag-config.ts'
import { type ScheduledChangeKeys, scheduledChanges } from '../../models/scheduled-changes/scheduled-change.ts'
import { referencedSegments, type SegmentKeys, segments } from '../../models/segments/segment.ts'
import { targetingFlags } from '../../models/segments/targeting-flags.ts'
import { type WorkflowKeys, workflows } from '../../models/workflows/workflow.ts'
import type { WriteContext } from '../../operation/context.ts'
import { fail } from '../../operation/errors.ts'
import { type ReferenceRow, referenceRow, type SavedChange } from '../../operation/reference-row.ts'
import type { Rule } from '../../rules/targeting/rule.ts'
import { rulesWithoutSegment } from '../../rules/targeting/rules-without-segment.ts'
import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Reader } from '../../storage/reader.ts'
import { referencesIn } from '../approval-requests/subjects/references.ts'
import type { Instructions } from '../approval-requests/subjects/subject.ts'
import { changeConfig } from '../flags/changes/change-config.ts'
import { dequeueChange } from '../scheduled-changes/plan.ts'
import { discardContents } from '../workflows/discard-contents.ts'

const segmentsIn = (rules: readonly Rule[], { projectKey, environmentKey }: EnvironmentKeys): SegmentKeys[] =>
  referencedSegments(rules).map((segmentKey) => ({ projectKey, environmentKey, segmentKey }))

const withoutSegment = <T extends { readonly rules: readonly Rule[] }>(
  document: T,
  { segmentKey }: SegmentKeys,
): T => ({
  ...document,
  rules: rulesWithoutSegment(document.rules, segmentKey),
})

const havingSegment = ({ segmentKey }: SegmentKeys) => [{ op: 'equals', field: 'segments', value: segmentKey }] as const

const pageSize = 1_000

/** Returns the keys of all configurations that target a segment. */
async function targetingConfigs(tx: Reader, target: SegmentKeys): Promise<ConfigKeys[]> {
  const referencedKeys: string[] = []
  for (;;) {
    const keys = await tx.pageKeys(targetingFlags, target, { after: referencedKeys.at(-1), limit: pageSize })
    referencedKeys.push(...keys)
    if (keys.length < pageSize) break
  }
  const { projectKey, environmentKey } = target
  return referencedKeys.map((flagKey) => ({ projectKey, environmentKey, flagKey }))
}

/** Writes a changed configuration with the function that all operations use. */
async function saveConfig(
  context: WriteContext,
  { keys, before, after = before }: SavedChange<FlagConfig, typeof flagConfigs.template>,
): Promise<void> {
  const { tx } = context
  const [flag, environment] = await Promise.all([tx.get(flags, keys), tx.get(environments, keys)])
  if (!flag || !environment) fail('optimistic_locking_error')
  const change = { comment: undefined, variations: flag.variations }
  await changeConfig(context, environment, { keys, before, after }, change)
  tx.follow(flags, keys, flag, { ...flag, revision: flag.revision + 1 })
}

/** References of flags, AI configs and segments to segments and to other flags. */
export const targetingReferences: readonly ReferenceRow[] = [
  referenceRow({
    from: flagConfigs,
    property: 'rules.clauses.values',
    to: segments,
    rule: 'refuse',
    targets: ({ rules }, keys) => segmentsIn(rules, keys),
    candidates: targetingConfigs,
    withoutReference: withoutSegment,
    save: saveConfig,
  }),
  referenceRow({
    from: aiConfigTargetings,
    property: 'rules.clauses.values',
    to: segments,
    rule: 'refuse',
    targets: ({ rules }, keys) => segmentsIn(rules, keys),
    where: havingSegment,
    withoutReference: withoutSegment,
    async save({ tx }, { keys, before, after = before }) {
      const config = (await tx.get(aiConfigs, keys)) ?? fail('optimistic_locking_error')
      tx.replace(aiConfigTargetings, keys, before, after)
      tx.follow(aiConfigs, keys, config, { ...config, holds: config.holds + 1 })
    },
  }),
  referenceRow({
    from: segments,
    property: 'rules.clauses.values',
    to: segments,
    rule: 'refuse',
    targets: ({ rules }, keys) => segmentsIn(rules, keys),
    where: havingSegment,
    withoutReference: withoutSegment,
    async save(context, { keys, before, after = before }) {
      context.tx.replace(segments, keys, before, { ...after, lastModified: context.readClock() })
    },
  }),
  referenceRow({
    from: flagConfigs,
    property: 'prerequisites.key',
    to: flags,
    rule: 'refuse',
    targets: ({ prerequisites }, { projectKey }) => prerequisites.map(({ key }) => ({ projectKey, flagKey: key })),
    where: ({ flagKey }) => [{ op: 'equals', field: 'prerequisites', value: flagKey }],
    withoutReference: (config, { flagKey }) => ({
      ...config,
      prerequisites: config.prerequisites.filter(({ key }) => key !== flagKey),
    }),
    save: saveConfig,
  }),
  scheduledReference('segment', segments, segmentOf),
  scheduledReference('flag', flags, flagOf),
  workflowReference('segment', segments, segmentOf),
  workflowReference('flag', flags, flagOf),
]

function segmentOf(key: string, { projectKey, environmentKey }: EnvironmentKeys): SegmentKeys {
  return { projectKey, environmentKey, segmentKey: key }
}

function flagOf(key: string, { projectKey }: EnvironmentKeys) {
  return { projectKey, flagKey: key }
}

/** Returns the keys of the segments or flags that instructions refer to. */
function keysIn(kind: 'segment' | 'flag', instructions: Instructions): string[] {
  return instructions
    .flatMap((instruction) => referencesIn(instruction, []))
    .flatMap((name) => (name.startsWith(`${kind} `) ? [name.slice(kind.length + 1)] : []))
}

/**
 * Returns the references of workflows to segments or flags, in the stages that have not run. Such a stage cannot be
 * applied without them.
 */
function workflowReference<T extends Versioned, A extends string>(
  kind: 'segment' | 'flag',
  to: Documents<T, A>,
  keysOf: (key: string, keys: WorkflowKeys) => Keys<A>,
): ReferenceRow {
  return referenceRow({
    from: workflows,
    property: kind === 'segment' ? 'stages.instructions.clauses.values' : 'stages.instructions.key',
    dependsOn: ['status', 'stage'],
    to,
    rule: 'refuse',
    targets: ({ status, stage, stages }, keys) =>
      status === 'active'
        ? keysIn(
            kind,
            stages.slice(stage).flatMap(({ instructions }) => instructions),
          ).map((key) => keysOf(key, keys))
        : [],
    withoutReference: () => undefined,
    async save(context, { keys, before }) {
      await context.demand('updateFeatureWorkflows', workflows, keys, before)
      context.tx.remove(workflows, keys, before)
      await discardContents(context, before, keys)
    },
  })
}

/**
 * Returns the references of scheduled changes to segments or flags. When such a reference is removed, the scheduled
 * change is deleted, because it cannot be applied without the segment or flag.
 */
function scheduledReference<T extends Versioned, A extends string>(
  kind: 'segment' | 'flag',
  to: Documents<T, A>,
  keysOf: (key: string, keys: ScheduledChangeKeys) => Keys<A>,
): ReferenceRow {
  return referenceRow({
    from: scheduledChanges,
    property: kind === 'segment' ? 'instructions.clauses.values' : 'instructions.key',
    to,
    rule: 'refuse',
    targets: ({ instructions }, keys) => keysIn(kind, instructions).map((key) => keysOf(key, keys)),
    withoutReference: () => undefined,
    async save(context, { keys, before }) {
      await context.demand('updateScheduledChanges', scheduledChanges, keys, before)
      dequeueChange(context, keys, before)
      context.tx.remove(scheduledChanges, keys, before)
    },
  })
}
