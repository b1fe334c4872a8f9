import { type Flag, flags, type Variation } from '../../../models/flags/flag.ts'
import { type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import type { JsonPatch } from '../../../operation/body.ts'
import type { Context, Host } from '../../../operation/context.ts'
import { fail } from '../../../operation/errors.ts'
import { actionsByPath } from '../../../operation/patch-actions.ts'
import { patchDocument } from '../../../operation/patch-document.ts'
import type { Output } from '../../../operation/schema.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Pointer } from '../../../rules/json-patch/pointer.ts'
import { withClauseIds } from '../../../rules/targeting/clause.ts'
import {
  indexMapping,
  keepsIndexes,
  propertiesWithIndexes,
  renumberVariations,
} from '../../../rules/targeting/variation-indexes.ts'
import type { Writer } from '../../../storage/writer.ts'
import { patchedAvailability } from '../../projects/snippet-alias.ts'
import { validateNewClauses } from '../../targeting/new-clause.ts'
import { configSettings } from '../flag-config-schema.ts'
import { flagSnippet, patchableFlag, serializeFlag } from '../flag-schema.ts'
import type { FlagState } from '../flag-state.ts'
import { type FlagChange, refuseWith } from './flag-change.ts'

type PatchableFlag = Output<typeof patchableFlag>
type ConfigSettings = Output<typeof configSettings>

const flagPaths = [
  ...['name', 'description', 'temporary', 'archived', 'deprecated'].map((property) => `/${property}`),
  ...['tags', 'variations', 'defaults', 'customProperties', 'clientSideAvailability'].map(
    (property) => `/${property}/**`,
  ),
  ...['maintainerId', 'maintainerTeamKey'].map((property) => `/${property}`),
]
const configPaths = Object.keys(configSettings.entries).map((property) => `/environments/*/${property}/**`)

/** Paths that a JSON Patch may change, with the actions that this needs. */
export const flagPathActions = {
  ...actionsByPath(flagPaths, flags),
  ...actionsByPath(['/includeInSnippet'], flags, () => flagSnippet.availability),
  ...actionsByPath(configPaths, flagConfigs, (path) => path.split('/')[3] as string),
}

/**
 * Applies a JSON Patch to a flag in the form of a response, and splits the result into the flag and its configurations
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
 *
 * @throws ApiError `invalid_request` for a patch that cannot be applied or whose result is not a valid flag;
 *   `optimistic_locking_error` for a `test` operation that fails.
 */
export async function applyFlagPatch(
  context: Context<Writer, 'invalid_request'>,
  projectKey: string,
  before: FlagState,
  patch: JsonPatch,
): Promise<FlagChange> {
  const host = context.useHost()
  const patchable = patchableOf(before, patch)
  const patched = await patchDocument(patchable, patch, patchableFlag, {
    shown: () => serializeFlag(context, projectKey, before),
  })
  const { environments, includeInSnippet: alias, clientSideAvailability: availability } = patched
  const clientSideAvailability =
    alias === availability.usingEnvironmentId
      ? availability
      : patchedAvailability(flagSnippet, patch, { alias, availability })
  const flag = flagOf(host, before.flag, { settings: patched, clientSideAvailability })
  const configs = Object.entries(environments).flatMap(([key, after]): [string, FlagConfig][] => {
    // The result of a patch shares the objects that the patch does not change.
    if (after === patchable.environments[key]) return []
    const config = configOf(host, before, { key, after }, flag)
    return config ? [[key, config]] : []
  })
  return { flag, configs: new Map(configs), comment: patch.comment, refuse }
}

const refuse = refuseWith(({ environmentKey, attribute }) =>
  environmentKey === undefined ? attribute : `environments.${environmentKey}.${attribute}`,
)

function patchableOf({ flag, configs }: FlagState, patch: JsonPatch): PatchableFlag & { version: number } {
  // Most patches change the flag alone. The configurations, one for each environment, are included only when a patch
  // names them.
  const read = readsEnvironments(patch) ? [...configs] : []
  const settings = read.map(([key, config]) => [key, pick(config, settingNames)])
  const includeInSnippet = flag.clientSideAvailability.usingEnvironmentId
  return Object.assign({}, flag, { includeInSnippet, environments: Object.fromEntries(settings) })
}

/** Returns true when an operation of a patch names a configuration, or something that contains it. */
function readsEnvironments({ operations }: JsonPatch): boolean {
  const isRead = ({ tokens }: Pointer) => tokens.length === 0 || tokens[0] === 'environments'
  return operations.some((each) => isRead(each.path) || ('from' in each && isRead(each.from)))
}

/** The settings of a flag after a patch, and the SDKs that may use the flag. */
interface PatchedSettings {
  readonly settings: PatchableFlag
  readonly clientSideAvailability: Flag['clientSideAvailability']
}

function flagOf(host: Host, before: Flag, { settings, clientSideAvailability }: PatchedSettings): Flag {
  // Cast: the result of a patch shares the stored variations when the patch does not change them; these have ids.
  const variations =
    (settings.variations as unknown) === before.variations
      ? before.variations
      : settings.variations.map((variation) => ({ ...variation, _id: idOf(host, before, variation) }))
  const { name, description, temporary, archived, deprecated, tags, customProperties } = settings
  const { defaults } = settings
  const follows = followsVariations(before, { defaults, variations })
  // Lists the properties one by one: copying the whole patched flag without the properties that are not stored takes
  // ten times as long.
  const stored = {
    name,
    description,
    temporary,
    archived,
    deprecated,
    tags,
    customProperties,
    clientSideAvailability,
    variations,
    defaults: follows ? defaultsAfter(before, variations) : defaults,
    ...maintainerOf(before, settings),
  } satisfies Record<Exclude<keyof PatchableFlag, 'environments' | 'includeInSnippet'>, unknown>
  return { ...before, ...stored }
}

/**
 * Returns the maintainer after a patch. A patch that sets a member replaces a team, and the other way round, as the
 * instructions do.
 */
function maintainerOf(before: Flag, { maintainerId, maintainerTeamKey }: PatchableFlag) {
  const setsMember = maintainerId !== undefined && maintainerId !== before.maintainerId
  const setsTeam = maintainerTeamKey !== undefined && maintainerTeamKey !== before.maintainerTeamKey
  if (setsMember === setsTeam) return { maintainerId, maintainerTeamKey }
  return setsMember ? { maintainerId, maintainerTeamKey: undefined } : { maintainerId: undefined, maintainerTeamKey }
}

/** Returns true when a patch changes the variations but not the choice of the default variations. */
function followsVariations(before: Flag, after: Pick<Flag, 'variations' | 'defaults'>): boolean {
  return jsonEqual(before.defaults, after.defaults) && !jsonEqual(before.variations, after.variations)
}

function idOf(host: Host, { variations }: Flag, { _id }: { readonly _id?: string }): string {
  if (_id === undefined) return host.newId()
  if (variations.some((variation) => variation._id === _id)) return _id
  const reason = 'must be left out of a new variation'
  return fail('invalid_request', { errors: [{ attribute: 'variations._id', reason }] })
}

/** Returns the defaults with the new indexes of the same variations. */
function defaultsAfter({ defaults, variations: before }: Flag, after: readonly Variation[]): Flag['defaults'] {
  const newIndexOf = indexMapping(before, after)
  return { onVariation: newIndexOf(defaults.onVariation), offVariation: newIndexOf(defaults.offVariation) }
}

/** The settings of an environment after a patch. */
interface PatchedConfig {
  readonly key: string
  readonly after: ConfigSettings
}

/** Returns undefined when the patch has not changed the configuration. */
function configOf(
  host: Host,
  { flag, configs }: FlagState,
  { key, after }: PatchedConfig,
  flagAfter: Flag,
): FlagConfig | undefined {
  const before = configs.get(key) as FlagConfig
  const changed = settingNames.filter((property) => !jsonEqual(before[property], after[property]))
  if (changed.length === 0) return undefined
  if (!keepsIndexes(flag.variations, flagAfter.variations)) refuseMixedPatch(key, changed)
  const errors = validateNewClauses(before.rules, after.rules, `environments.${key}.rules`)
  if (errors.length > 0) fail('invalid_request', { errors })
  const rules = after.rules.map((rule) => ({
    ...rule,
    _id: rule._id ?? host.newId(),
    clauses: withClauseIds(rule.clauses, host.newId),
  }))
  const unchanged = renumberVariations(before, indexMapping(flag.variations, flagAfter.variations))
  return { ...unchanged, ...pick({ ...after, rules }, changed) }
}

const settingNames = Object.keys(configSettings.entries) as (keyof ConfigSettings)[]

/**
 * Rejects a patch that reorders variations and also uses their indexes, because an index could mean a variation before
 * or after the patch.
 */
function refuseMixedPatch(environmentKey: string, changed: readonly string[]): void {
  const property = propertiesWithIndexes.find((name) => changed.includes(name))
  if (property === undefined) return
  const reason = 'must not be changed by the patch that removes or reorders variations'
  fail('invalid_request', { errors: [{ attribute: `environments.${environmentKey}.${property}`, reason }] })
}

/**
 * Returns these properties, including undefined ones, so that a spread of the result overwrites the existing values.
 */
function pick<T extends object>(from: T, properties: readonly string[]): Partial<T> {
  return Object.fromEntries(properties.map((property) => [property, from[property as keyof T]])) as Partial<T>
}
