import { environments } from '../../../models/environments/environment.ts'
import { type Flag, type FlagKeys, flags } from '../../../models/flags/flag.ts'
import { type ConfigKeys, defaultConfig, type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import type { WriteContext } from '../../../operation/context.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { gone, keepsPlaces, names, placesIn, renumbered } from '../../../rules/targeting/variation-places.ts'
import type { Action } from '../../../vocabulary/policy-kinds.ts'
import type { ApprovalPass } from '../../environments/approval-pass.ts'
import { isTargetOf } from '../config-at.ts'
import type { FlagState } from '../flag-state.ts'
import { changeConfig } from './change-config.ts'
import { configFaults } from './config-faults.ts'
import type { FlagChange, Problem } from './flag-change.ts'
import { flagFaults } from './flag-faults.ts'
import {
  type ConfigChange,
  dependentOf,
  maintainerProblems,
  prerequisiteFindings,
  segmentProblems,
} from './flag-references.ts'
import { flagWideActions } from './guarded-flag.ts'

/** The parts of a request context that saving needs, so that a dry run can provide them. */
type SaveContext = Pick<WriteContext, 'tx' | 'readClock'>

/**
 * Validates and writes the result of a patch of a flag.
 *
 * Flag-wide properties are checked and written at the address of the flag, and each configuration at its own, so that a
 * policy for one environment allows changes in that environment and nothing else (D17).
 *
 * @param pass allows the change although an environment requires approval.
 * @returns the flag as it will be stored, in all environments.
 * @throws ApiError `invalid_request` that names the invalid part of the patch; `method_not_allowed` when an environment
 *   requires approval (D31).
 */
export async function saveFlag(
  context: SaveContext,
  keys: FlagKeys,
  before: FlagState,
  change: FlagChange,
  pass: ApprovalPass = {},
): Promise<FlagState> {
  const { flag, untouched, touched, adopted } = await checkFlag(context, keys, before, change)
  const besides = await flagWideActions(context.tx, keys, before, flag, pass)
  for (const one of adopted) {
    context.tx.follow(flags, { ...keys, flagKey: one.key }, one, { ...one, revision: one.revision + 1 })
  }
  const configs = await writeConfigs(context, keys, before, untouched, change, pass)
  return { ...before, flag: writeFlag(context, keys, before.flag, flag, touched, besides), configs }
}

/** A valid change. */
interface CheckedChange {
  readonly flag: Flag
  /** The configurations without the changes of the patch, but with the variation indexes after it. */
  readonly untouched: FlagState
  /** True when a configuration changes. */
  readonly touched: boolean
  /** The flags that newly become prerequisites. */
  readonly adopted: readonly Flag[]
}

/**
 * Validates the result of a patch of a flag. Writes nothing to the flag itself; it only requires that newly referenced
 * documents are unchanged at the commit.
 *
 * @throws ApiError `invalid_request` that names the invalid part of the patch.
 */
export async function checkFlag(
  context: SaveContext,
  keys: FlagKeys,
  before: FlagState,
  change: FlagChange,
): Promise<CheckedChange> {
  const flag = dated(before.flag, change.flag, context.readClock())
  const untouched = { ...before, flag, configs: renumberedConfigs(before, flag) }
  const changes = changesIn(untouched, change)
  refuseAny(change, lostVariations(before.flag, untouched, changes))
  refuseAny(change, [...flagProblems(flag), ...changes.flatMap((one) => configProblems(flag, one))])
  const { problems, adopted } = await prerequisiteFindings(context, keys, changes)
  refuseAny(change, [
    ...problems,
    ...(await segmentProblems(context, keys, changes)),
    ...(await maintainerProblems(context.tx, before.flag, change)),
    ...(await dependencyProblems(context, keys, before, flag)),
  ])
  return { flag, untouched, touched: changes.length > 0, adopted }
}

/** Sets the dates at which a flag was archived and deprecated. */
function dated(before: Flag, after: Flag, now: number): Flag {
  return {
    ...after,
    archivedDate: after.archived ? (before.archivedDate ?? now) : undefined,
    deprecatedDate: after.deprecated ? (before.deprecatedDate ?? now) : undefined,
  }
}

/** Returns the configurations without the changes of the patch, but with the variation indexes after it. */
function renumberedConfigs({ flag, configs }: FlagState, after: Flag): FlagState['configs'] {
  if (keepsPlaces(flag.variations, after.variations)) return configs
  const place = placesIn(flag.variations, after.variations)
  return new Map([...configs].map(([key, config]) => [key, renumbered(config, place)]))
}

function changesIn({ configs }: FlagState, change: FlagChange): ConfigChange[] {
  return [...change.configs].flatMap(([environmentKey, after]): ConfigChange[] => {
    const before = configs.get(environmentKey) as FlagConfig
    return jsonEqual(before, after) ? [] : [{ environmentKey, before, after }]
  })
}

const mostProblems = 20

function refuseAny(change: FlagChange, problems: readonly Problem[]): void {
  if (problems.length > 0) change.refuse(problems.slice(0, mostProblems))
}

/** A variation cannot be removed while a configuration refers to it. */
function lostVariations(before: Flag, { configs }: FlagState, changes: readonly ConfigChange[]): Problem[] {
  const wanted = new Map([...configs, ...changes.map(({ environmentKey, after }) => [environmentKey, after] as const)])
  const losing = [...wanted].filter(([, config]) => names(config, gone)).map(([key]) => key)
  return losing.map((key) => ({
    attribute: 'variations',
    reason: `must keep a variation that is in use in the environment ${key}`,
    shows: (flag) => !keepsPlaces(before.variations, flag.variations),
  }))
}

function flagProblems(flag: Flag): Problem[] {
  return flagFaults(flag).map((fault) => ({
    ...fault,
    shows: (state) => flagFaults(state).some(({ attribute }) => attribute === fault.attribute),
  }))
}

function configProblems(flag: Flag, { environmentKey, after }: ConfigChange): Problem[] {
  return configFaults(flag, after).map((fault) => ({
    ...fault,
    environmentKey,
    shows: (state, config) =>
      config !== undefined && configFaults(state, config).some(({ reason }) => reason === fault.reason),
  }))
}

/** A flag that other flags depend on can neither be archived nor have its variations reordered. */
async function dependencyProblems(
  { tx }: SaveContext,
  keys: FlagKeys,
  before: FlagState,
  flag: Flag,
): Promise<Problem[]> {
  const archives = flag.archived && !before.flag.archived
  const renumbers = !keepsPlaces(before.flag.variations, flag.variations)
  const dependent = archives || renumbers ? await dependentOf(tx, keys, before) : undefined
  if (dependent === undefined) return []
  const reason = `must stay as it is while the flag is a prerequisite of ${dependent}`
  return [
    ...(archives ? [{ attribute: 'archived', reason, shows: (state: Flag) => state.archived }] : []),
    ...(renumbers
      ? [
          {
            attribute: 'variations',
            reason,
            shows: (state: Flag) => !keepsPlaces(before.flag.variations, state.variations),
          },
        ]
      : []),
  ]
}

/** Writes the flag. Its version also changes when only configurations have changed. */
function writeFlag(
  { tx }: SaveContext,
  keys: FlagKeys,
  before: Flag,
  after: Flag,
  touched: boolean,
  besides: readonly Action[],
): Flag {
  const moved = touched ? { ...after, revision: before.revision + 1 } : after
  if (jsonEqual(before, after)) return tx.follow(flags, keys, before, moved)
  return tx.replace(flags, keys, before, moved, { besides })
}

async function writeConfigs(
  context: SaveContext,
  keys: FlagKeys,
  before: FlagState,
  untouched: FlagState,
  change: FlagChange,
  pass: ApprovalPass,
): Promise<Map<string, FlagConfig>> {
  const reason = { flag: before.flag, comment: change.comment, pass }
  const written = new Map<string, FlagConfig>()
  for (const environment of before.environments) {
    const place = { ...keys, environmentKey: environment.key }
    const was = before.configs.get(environment.key) as FlagConfig
    const still = untouched.configs.get(environment.key) as FlagConfig
    const wanted = change.configs.get(environment.key) ?? still
    if (!jsonEqual(still, wanted)) {
      const changed = await changeConfig(context, place, environment, still, wanted, reason)
      written.set(environment.key, withoutStrays(context, place, untouched.flag, changed))
      continue
    }
    // A configuration that was never stored follows the defaults of the flag. When these change, the configuration must
    // be stored to stay the same.
    const implied = was.version === 0 ? defaultConfig(untouched.flag, environment) : was
    if (!jsonEqual(implied, still)) context.tx.expect(environments, place, environment)
    written.set(environment.key, context.tx.follow(flagConfigs, place, implied, still))
  }
  return written
}

/** Removes the expiry dates of targets that no longer exist. */
function withoutStrays({ tx }: SaveContext, keys: ConfigKeys, flag: Flag, config: FlagConfig): FlagConfig {
  const { expiringTargets } = config
  if (expiringTargets === undefined) return config
  return tx.follow(flagConfigs, keys, config, {
    ...config,
    expiringTargets: expiringTargets.filter(isTargetOf(flag, config)),
  })
}
