import type { Flag, Variation } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import type { JsonPatch } from '../../../operation/body.ts'
import type { Host } from '../../../operation/context.ts'
import { fail } from '../../../operation/errors.ts'
import { patchDocument } from '../../../operation/patch-document.ts'
import type { Output } from '../../../operation/schema.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { identified } from '../../../rules/targeting/clause.ts'
import { keepsPlaces, numberedMembers, placesIn, renumbered } from '../../../rules/targeting/variation-places.ts'
import { configSettings } from '../flag-config-wire.ts'
import type { FlagState } from '../flag-state.ts'
import { patchableFlag } from '../flag-wire.ts'
import { type FlagChange, refusing } from './flag-change.ts'

type PatchableFlag = Output<typeof patchableFlag>
type ConfigSettings = Output<typeof configSettings>

/** Paths that a JSON Patch may change. */
export const patchablePaths = [
  ...['name', 'description', 'temporary', 'archived', 'deprecated'].map((member) => `/${member}`),
  ...['tags', 'variations', 'defaults', 'customProperties', 'clientSideAvailability'].map((member) => `/${member}/**`),
  ...['includeInSnippet', 'maintainerId', 'maintainerTeamKey'].map((member) => `/${member}`),
  ...Object.keys(configSettings.entries).map((member) => `/environments/*/${member}/**`),
]

/**
 * Applies a JSON Patch to a flag in the form of a response, and splits the result into the flag and its configurations
 * (D11).
 *
 * @throws ApiError `invalid_request` for a patch that cannot be applied or whose result is not a valid flag;
 *   `optimistic_locking_error` for a `test` operation that fails.
 */
export function patchedFlag(host: Host, before: FlagState, patch: JsonPatch): FlagChange {
  const { environments, ...settings } = patchDocument(viewOf(before), patch, patchableFlag)
  const flag = flagOf(host, before.flag, settings)
  const configs = Object.entries(environments).flatMap(([key, after]): [string, FlagConfig][] => {
    const config = configOf(host, before, key, after, flag)
    return config ? [[key, config]] : []
  })
  return { flag, configs: new Map(configs), comment: patch.comment, refuse }
}

const refuse = refusing(({ environmentKey, attribute }) =>
  environmentKey === undefined ? attribute : `environments.${environmentKey}.${attribute}`,
)

function viewOf({ flag, configs }: FlagState): PatchableFlag & { version: number } {
  const shown = [...configs].map(([key, config]) => [key, pick(config, Object.keys(configSettings.entries))])
  return { ...flag, environments: Object.fromEntries(shown) }
}

function flagOf(host: Host, before: Flag, settings: Omit<PatchableFlag, 'environments'>): Flag {
  const variations = settings.variations.map((one) => ({ ...one, _id: idOf(host, before, one) }))
  return {
    ...before,
    ...settings,
    variations,
    defaults: jsonEqual(before.defaults, settings.defaults) ? followed(before, variations) : settings.defaults,
    // Named here, because a property that the patch removed is missing from the settings.
    maintainerId: settings.maintainerId,
    maintainerTeamKey: settings.maintainerTeamKey,
    version: before.version,
  }
}

function idOf(host: Host, { variations }: Flag, { _id }: { readonly _id?: string }): string {
  if (_id === undefined) return host.newId()
  if (variations.some((one) => one._id === _id)) return _id
  const reason = 'must be left out of a new variation'
  return fail('invalid_request', { errors: [{ attribute: 'variations._id', reason }] })
}

/** Returns the defaults with the new indexes of the same variations. */
function followed({ defaults, variations: before }: Flag, after: readonly Variation[]): Flag['defaults'] {
  const place = placesIn(before, after)
  return { onVariation: place(defaults.onVariation), offVariation: place(defaults.offVariation) }
}

/** Returns undefined when the patch has not changed the configuration. */
function configOf(
  host: Host,
  { flag, configs }: FlagState,
  key: string,
  after: ConfigSettings,
  flagAfter: Flag,
): FlagConfig | undefined {
  const before = configs.get(key) as FlagConfig
  const changed = memberNames.filter((member) => !jsonEqual(before[member], after[member]))
  if (changed.length === 0) return undefined
  if (!keepsPlaces(flag.variations, flagAfter.variations)) refuseMixture(key, changed)
  const rules = after.rules.map((rule) => ({
    ...rule,
    _id: rule._id ?? host.newId(),
    clauses: identified(rule.clauses, host.newId),
  }))
  const still = renumbered(before, placesIn(flag.variations, flagAfter.variations))
  return { ...still, ...pick({ ...after, rules }, changed) }
}

const memberNames = Object.keys(configSettings.entries) as (keyof ConfigSettings)[]

/**
 * Rejects a patch that reorders variations and also uses their indexes, because an index could mean a variation before
 * or after the patch.
 */
function refuseMixture(environmentKey: string, changed: readonly string[]): void {
  const member = numberedMembers.find((one) => changed.includes(one))
  if (member === undefined) return
  const reason = 'must not be changed by the patch that removes or reorders variations'
  fail('invalid_request', { errors: [{ attribute: `environments.${environmentKey}.${member}`, reason }] })
}

/** Returns these properties, including undefined ones, so that they replace others. */
function pick<T extends object>(from: T, members: readonly string[]): Partial<T> {
  return Object.fromEntries(members.map((member) => [member, from[member as keyof T]])) as Partial<T>
}
