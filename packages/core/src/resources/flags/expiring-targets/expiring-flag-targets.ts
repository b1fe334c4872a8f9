import { environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { type ConfigKeys, defaultConfig, type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import type { Context, WriteContext } from '../../../operation/context.ts'
import { fail } from '../../../operation/errors.ts'
import {
  type ExpiringTarget,
  type ExpiryEditResult,
  editExpiringTargets,
} from '../../../rules/expiring-targets/expiring-targets.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Reader } from '../../../storage/reader.ts'
import type { TargetOwner } from '../../targeting/expiring-target-operations.ts'
import { type ExpiryRequest, expiryEditOf } from '../../targeting/expiring-target-request.ts'
import { refuseExpiryErrors } from '../../targeting/refuse-expiry-errors.ts'
import { refuseWith } from '../changes/flag-change.ts'
import { saveFlag } from '../changes/save-flag.ts'
import { configAt, isTargetOf } from '../config-at.ts'
import { type FlagState, loadFlag } from '../flag-state.ts'

/** Flags as owners of targets that expire in an environment. */
export const flagTargets: TargetOwner<ConfigKeys, 'variationId'> = {
  kind: 'flag',
  keyParameter: 'flagKey',
  listName: 'variationId',
  read: expiringTargetsOf,
  change: changeExpiringTargets,
}

/**
 * Returns the future expiry dates of a flag's targets in an environment.
 *
 * @throws ApiError `not_found` when the flag or the environment does not exist.
 */
async function expiringTargetsOf(
  context: Context<Reader, 'not_found'>,
  keys: ConfigKeys,
): Promise<readonly ExpiringTarget[]> {
  const { tx } = context
  const [flag, environment, config] = await Promise.all([
    tx.get(flags, keys),
    tx.get(environments, keys),
    tx.get(flagConfigs, keys),
  ])
  if (!flag || !environment) return fail('not_found')
  const current = config ? configAt(flag, config, context) : defaultConfig(flag, environment)
  context.setRevision(revisionOf(current))
  return datesOf(current)
}

/**
 * Changes the expiry dates of the targets of a flag.
 *
 * @returns the dates as they will be stored.
 * @throws ApiError `not_found`; `invalid_request` that names each instruction that cannot be applied;
 *   `optimistic_locking_error` for a date whose version has changed.
 */
async function changeExpiringTargets(
  context: WriteContext,
  keys: ConfigKeys,
  { instructions, comment }: ExpiryRequest<'variationId'>,
): Promise<readonly ExpiringTarget[]> {
  const before = await loadFlag(context.tx, keys, context)
  const config = before?.configs.get(keys.environmentKey)
  if (!before || !config) return fail('not_found')
  context.requireRevision(revisionOf(config))
  const { targets, errors } = editDates(context, before, keys, instructions)
  refuseExpiryErrors(errors, instructions)
  const stored = await saveDates(context, before, { keys, targets, comment })
  context.setRevision(revisionOf(stored))
  return datesOf(stored)
}

/**
 * Applies instructions to the expiry dates of a flag in an environment, without writing them.
 *
 * @param state a flag with the configuration of the environment.
 */
export function editDates(
  context: WriteContext,
  { flag, configs }: FlagState,
  { environmentKey }: ConfigKeys,
  instructions: ExpiryRequest<'variationId'>['instructions'],
): ExpiryEditResult {
  const { newId } = context.useHost()
  const config = configs.get(environmentKey) as FlagConfig
  const edits = instructions.map((instruction) => expiryEditOf(instruction.variationId, instruction))
  return editExpiringTargets(datesOf(config), edits, {
    isTarget: isTargetOf(flag, config),
    now: context.readClock(),
    newId,
  })
}

/** The new expiry dates of a flag in an environment. */
interface NewDates {
  readonly keys: ConfigKeys
  readonly targets: readonly ExpiringTarget[]
  readonly comment: string | undefined
}

/** Writes the expiry dates of a flag in an environment; returns the configuration as it will be stored. */
export async function saveDates(
  context: WriteContext,
  before: FlagState,
  { keys, targets, comment }: NewDates,
): Promise<FlagConfig> {
  const config = before.configs.get(keys.environmentKey) as FlagConfig
  const edited = jsonEqual(targets, datesOf(config)) ? config : { ...config, expiringTargets: targets }
  const after = await saveFlag(
    context,
    { keys, before },
    {
      flag: before.flag,
      configs: new Map([[keys.environmentKey, edited]]),
      comment,
      refuse: refuseWith(({ attribute }) => attribute),
    },
  )
  return after.configs.get(keys.environmentKey) as FlagConfig
}

/** Returns the expiry dates of a configuration. */
export function datesOf({ expiringTargets = [] }: FlagConfig): readonly ExpiringTarget[] {
  return expiringTargets
}

/** Returns a revision that changes with every change of the configuration, and when a target expires. */
function revisionOf(config: FlagConfig): string {
  return `${config.version}.${datesOf(config).length}`
}
