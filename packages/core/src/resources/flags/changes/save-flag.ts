import { environments } from '../../../models/environments/environment.ts'
import { type Flag, type FlagKeys, flags } from '../../../models/flags/flag.ts'
import {
  type ConfigKeys,
  defaultConfig,
  type FlagConfig,
  flagConfigs,
  haveSameDefaults,
} from '../../../models/flags/flag-config.ts'
import type { WriteContext } from '../../../operation/context.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Sentence } from '../../../rules/sentences/sentence.ts'
import {
  indexMapping,
  keepsIndexes,
  removedIndex,
  renumberVariations,
  usesVariation,
} from '../../../rules/targeting/variation-indexes.ts'
import type { Replacement } from '../../../storage/collection.ts'
import { followReleases } from '../automation/follow-releases.ts'
import { isTargetOf } from '../config-at.ts'
import type { FlagState } from '../flag-state.ts'
import { changeConfig } from './change-config.ts'
import type { FlagChange, Problem } from './flag-change.ts'
import {
  type ConfigChange,
  checkPrerequisites,
  dependentOf,
  maintainerProblems,
  type PrerequisiteCheck,
  segmentProblems,
} from './flag-references.ts'
import { validateConfig } from './validate-config.ts'
import { validateFlag } from './validate-flag.ts'

/** The parts of a request context that saving needs, so that a dry run can provide them. */
type SaveContext = Pick<WriteContext, 'tx' | 'readClock' | 'useHost' | 'caller'>

/** A flag as it is stored before a change. */
export interface FlagToChange {
  readonly keys: FlagKeys
  readonly before: FlagState
}

/**
 * Validates and writes the result of a patch of a flag.
 *
 * Flag-wide properties are checked and written at the address of the flag, and each configuration at its own, so that a
 * policy for one environment allows changes in that environment and nothing else
 * (docs/decisions/0002-decide-access-by-policy.md#d17-actions).
 *
 * @returns the flag as it will be stored, in all environments.
 * @throws ApiError `invalid_request` that names the invalid part of the patch.
 */
export async function saveFlag(context: SaveContext, stored: FlagToChange, change: FlagChange): Promise<FlagState> {
  const { keys, before } = stored
  const { flag, baseline, changesConfigs, addedFlags } = await checkFlag(context, stored, change)
  for (const prerequisite of addedFlags) {
    context.tx.follow(flags, { ...keys, flagKey: prerequisite.key }, prerequisite, {
      ...prerequisite,
      revision: prerequisite.revision + 1,
    })
  }
  const { configs, consequences } = await writeConfigs(context, { ...stored, baseline }, change)
  describeChange(context, keys, change, consequences)
  const replacement = { keys, before: before.flag, after: flag }
  return { ...before, flag: writeFlag(context, replacement, changesConfigs), configs }
}

/** Passes the sentences about instructions to the change log. */
function describeChange(
  { tx }: SaveContext,
  keys: FlagKeys,
  { configs, sentences }: FlagChange,
  consequences: WriteResult['consequences'],
): void {
  if (!sentences) return
  if (sentences.flag.length > 0) tx.describe(flags, keys, sentences.flag)
  for (const environmentKey of configs.keys()) {
    const all = [...sentences.config, ...(consequences.get(environmentKey) ?? [])]
    if (all.length > 0) tx.describe(flagConfigs, { ...keys, environmentKey }, all)
  }
}

/** A valid change. */
interface CheckedChange {
  readonly flag: Flag
  /** The configurations before the patch, but with the variation indexes that apply after it. */
  readonly baseline: FlagState
  /** True when a configuration changes. */
  readonly changesConfigs: boolean
  /** The flags that newly become prerequisites. */
  readonly addedFlags: readonly Flag[]
}

/**
 * Validates the result of a patch of a flag. Writes nothing to the flag itself; it only requires that newly referenced
 * documents are unchanged at the commit.
 *
 * @throws ApiError `invalid_request` that names the invalid part of the patch.
 */
export async function checkFlag(
  context: SaveContext,
  stored: FlagToChange,
  change: FlagChange,
): Promise<CheckedChange> {
  const { keys, before } = stored
  const flag = withLifecycleDates(before.flag, change.flag, context.readClock())
  const renumbers = renumbersVariations(before.flag, flag)
  const baseline = { ...before, flag, configs: renumbers ? renumberedConfigs(before, flag) : before.configs }
  const changes = changesIn(baseline, change)
  if (renumbers) refuseIfAny(change, removedVariationProblems(before.flag, baseline, changes))
  refuseIfAny(change, [
    ...flagProblems(before.flag, flag),
    ...changes.flatMap((configChange) => configProblems(flag, configChange)),
  ])
  const { problems, addedFlags } = changes.length > 0 ? await referenceProblems(context, keys, changes) : noReferences
  refuseIfAny(change, [
    ...problems,
    ...(hasNewMaintainer(before.flag, flag) ? await maintainerProblems(context.tx, before.flag, change) : []),
    ...(await dependencyProblems(context, stored, flag)),
  ])
  return { flag, baseline, changesConfigs: changes.length > 0, addedFlags }
}

const noReferences: PrerequisiteCheck = { problems: [], addedFlags: [] }

/** Checks the prerequisites and the segments that configurations newly refer to. */
async function referenceProblems(
  context: SaveContext,
  keys: FlagKeys,
  changes: readonly ConfigChange[],
): Promise<PrerequisiteCheck> {
  const { problems, addedFlags } = await checkPrerequisites(context, keys, changes)
  return { problems: [...problems, ...(await segmentProblems(context, keys, changes))], addedFlags }
}

function hasNewMaintainer(before: Flag, after: Flag): boolean {
  return before.maintainerId !== after.maintainerId || before.maintainerTeamKey !== after.maintainerTeamKey
}

/** Returns true when variations are removed or have another index. Most patches leave them as they are. */
function renumbersVariations({ variations: before }: Flag, { variations: after }: Flag): boolean {
  return !jsonEqual(before, after) && !keepsIndexes(before, after)
}

/** Sets the dates at which a flag was archived and deprecated. */
function withLifecycleDates(before: Flag, after: Flag, now: number): Flag {
  if (after.archived === before.archived && after.deprecated === before.deprecated) return after
  return {
    ...after,
    archivedDate: after.archived ? (before.archivedDate ?? now) : undefined,
    deprecatedDate: after.deprecated ? (before.deprecatedDate ?? now) : undefined,
  }
}

/** Returns the configurations before the patch, but with the variation indexes that apply after it. */
function renumberedConfigs({ flag, configs }: FlagState, after: Flag): FlagState['configs'] {
  const newIndexOf = indexMapping(flag.variations, after.variations)
  return new Map([...configs].map(([key, config]) => [key, renumberVariations(config, newIndexOf)]))
}

function changesIn({ configs }: FlagState, change: FlagChange): ConfigChange[] {
  return [...change.configs].flatMap(([environmentKey, after]): ConfigChange[] => {
    const before = configs.get(environmentKey) as FlagConfig
    return jsonEqual(before, after) ? [] : [{ environmentKey, before, after }]
  })
}

const maxReportedProblems = 20

function refuseIfAny(change: FlagChange, problems: readonly Problem[]): void {
  if (problems.length > 0) change.refuse(problems.slice(0, maxReportedProblems))
}

/** Returns a problem for each environment whose configuration refers to a removed variation. */
function removedVariationProblems(before: Flag, { configs }: FlagState, changes: readonly ConfigChange[]): Problem[] {
  const configsAfter = new Map([
    ...configs,
    ...changes.map(({ environmentKey, after }) => [environmentKey, after] as const),
  ])
  const affectedKeys = [...configsAfter].filter(([, config]) => usesVariation(config, removedIndex)).map(([key]) => key)
  return affectedKeys.map((key) => ({
    attribute: 'variations',
    reason: `must keep a variation that is in use in the environment ${key}`,
    existsIn: (flag) => !keepsIndexes(before.variations, flag.variations),
  }))
}

/** The properties that {@link validateFlag} reads. */
const validatedProperties = [
  'variations',
  'defaults',
  'kind',
  'migrationSettings',
  'maintainerId',
  'maintainerTeamKey',
] as const

/** Returns the errors of a flag. Most changes do not affect what is validated; the list is then empty. */
function flagProblems(before: Flag, flag: Flag): Problem[] {
  if (validatedProperties.every((property) => jsonEqual(before[property], flag[property]))) return []
  return validateFlag(flag).map((error) => ({
    ...error,
    existsIn: (state) => validateFlag(state).some(({ attribute }) => attribute === error.attribute),
  }))
}

function configProblems(flag: Flag, { environmentKey, after }: ConfigChange): Problem[] {
  return validateConfig(flag, after).map((error) => ({
    ...error,
    environmentKey,
    existsIn: (state, config) =>
      config !== undefined && validateConfig(state, config).some(({ reason }) => reason === error.reason),
  }))
}

/**
 * Returns the problems of a flag that other flags depend on: it can neither be archived nor have its variations
 * reordered.
 */
async function dependencyProblems({ tx }: SaveContext, { keys, before }: FlagToChange, flag: Flag): Promise<Problem[]> {
  const renumbers = renumbersVariations(before.flag, flag)
  const archives = flag.archived && !before.flag.archived
  const dependent = archives || renumbers ? await dependentOf(tx, keys, before) : undefined
  if (dependent === undefined) return []
  const reason = `must stay as it is while the flag is a prerequisite of ${dependent}`
  return [
    ...(archives ? [{ attribute: 'archived', reason, existsIn: (state: Flag) => state.archived }] : []),
    ...(renumbers
      ? [
          {
            attribute: 'variations',
            reason,
            existsIn: (state: Flag) => !keepsIndexes(before.flag.variations, state.variations),
          },
        ]
      : []),
  ]
}

/** Writes the flag. Its version also changes when only configurations have changed. */
function writeFlag(
  { tx }: SaveContext,
  { keys, before, after }: Replacement<Flag, FlagKeys>,
  changesConfigs: boolean,
): Flag {
  if (!changesConfigs) return tx.replace(flags, keys, before, after)
  const withRevision = { ...after, revision: before.revision + 1 }
  return jsonEqual(before, after)
    ? tx.follow(flags, keys, before, withRevision)
    : tx.replace(flags, keys, before, withRevision)
}

interface WriteResult {
  readonly configs: ReadonlyMap<string, FlagConfig>
  /** Sentences about what the engine did because of the change, by environment key. */
  readonly consequences: ReadonlyMap<string, readonly Sentence[]>
}

/** A flag as it is stored, and the baseline of its change. */
interface FlagStates extends FlagToChange, Pick<CheckedChange, 'baseline'> {}

async function writeConfigs(
  context: SaveContext,
  { keys, before, baseline }: FlagStates,
  change: FlagChange,
): Promise<WriteResult> {
  const written = new Map<string, FlagConfig>()
  const consequences = new Map<string, readonly Sentence[]>()
  const defaultsDiffer = !haveSameDefaults(before.flag, baseline.flag)
  // Most changes of a flag as a whole, such as its description, concern no configuration.
  const isUnchanged = change.configs.size === 0 && baseline.configs === before.configs && !defaultsDiffer
  if (isUnchanged) return { configs: before.configs, consequences }
  for (const environment of before.environments) {
    const keysOfConfig = { ...keys, environmentKey: environment.key }
    const storedConfig = before.configs.get(environment.key) as FlagConfig
    const baselineConfig = baseline.configs.get(environment.key) as FlagConfig
    const newConfig = change.configs.get(environment.key) ?? baselineConfig
    if (!jsonEqual(baselineConfig, newConfig)) {
      const { config: after, sentences } = await followReleases(context, {
        keys: keysOfConfig,
        environment,
        flag: baseline.flag,
        before: baselineConfig,
        after: newConfig,
        stepOf: change.stepOf,
        underPolicies: change.restores !== true && change.byExperiment !== true,
      })
      consequences.set(environment.key, sentences)
      const replaced = { keys: keysOfConfig, before: baselineConfig, after }
      const changed = await changeConfig(context, environment, replaced, {
        comment: change.comment,
        byExperiment: change.byExperiment,
        variations: baseline.flag.variations,
      })
      written.set(
        environment.key,
        withoutOrphanedDates(context, keysOfConfig, { flag: baseline.flag, config: changed }),
      )
      continue
    }
    // A configuration that was never stored follows the defaults of the flag. When these change, the configuration must
    // be stored to stay the same.
    const followsDefaults = defaultsDiffer && storedConfig.version === 0
    const effectiveBefore = followsDefaults ? defaultConfig(baseline.flag, environment) : storedConfig
    if (!jsonEqual(effectiveBefore, baselineConfig)) context.tx.expect(environments, keysOfConfig, environment)
    written.set(environment.key, context.tx.follow(flagConfigs, keysOfConfig, effectiveBefore, baselineConfig))
  }
  return { configs: written, consequences }
}

/** A flag, and its configuration in an environment. */
interface ConfiguredFlag {
  readonly flag: Flag
  readonly config: FlagConfig
}

/** Removes the expiry dates of targets that no longer exist. */
function withoutOrphanedDates({ tx }: SaveContext, keys: ConfigKeys, { flag, config }: ConfiguredFlag): FlagConfig {
  const { expiringTargets } = config
  if (expiringTargets === undefined) return config
  return tx.follow(flagConfigs, keys, config, {
    ...config,
    expiringTargets: expiringTargets.filter(isTargetOf(flag, config)),
  })
}
