import { type Environment, environments } from '../../../models/environments/environment.ts'
import { type Project, projects } from '../../../models/projects/project.ts'
import type { RelayConfig } from '../../../models/relay-configs/relay-config.ts'
import type { Role } from '../../../models/roles/role.ts'
import type { SdkKey, SdkKeyKind } from '../../../models/sdk-keys/sdk-key.ts'
import type { Grant } from '../../../operation/caller.ts'
import type { ResourceLevel } from '../../../rules/address.ts'
import { type CompiledPolicy, decide } from '../../../rules/policy/policy.ts'
import type { RelayEnvironment, RelayEnvironments } from '../../../rules/sdk-protocol/relay-messages.ts'
import { callerOf } from '../../tokens/bearer.ts'

/** Everything that the environments of relays depend on. */
export interface RelayDocuments {
  readonly configs: readonly RelayConfig[]
  readonly environments: readonly ProjectEnvironment[]
  readonly roles: readonly Role[]
}

/** An environment, its project, and its SDK keys in addition to the default ones. */
export interface ProjectEnvironment {
  readonly project: Project
  readonly environment: Environment
  readonly sdkKeys: readonly SdkKey[]
}

/** A key of a configuration. */
export interface RelayKey {
  readonly config: RelayConfig
  /** Rights of the caller who received the key, one layer each. */
  readonly limits: readonly Grant[]
  /** Time from which the key is invalid: integer ms, UTC; infinity when it does not expire. */
  readonly until: number
}

/** Returns the keys of configurations by their hashes, including expired keys. */
export function relayKeys(configs: readonly RelayConfig[]): ReadonlyMap<string, RelayKey> {
  const keys = new Map<string, RelayKey>()
  for (const config of configs) {
    const { hash, keyLimits, retiredHash, retiredUntil = 0, retiredLimits = [] } = config
    if (hash !== undefined) keys.set(hash, { config, limits: keyLimits, until: Number.POSITIVE_INFINITY })
    if (retiredHash !== undefined) keys.set(retiredHash, { config, limits: retiredLimits, until: retiredUntil })
  }
  return keys
}

/**
 * Returns the environments that a relay with a key receives. `viewSdkKey` on the environment must be allowed by the
 * policy, to the caller who wrote the policy, and to the caller who received the key. Includes the additional SDK keys
 * that both callers may view (docs/decisions/0142-limit-relays-by-the-rights-of-their-authors.md).
 *
 * @param now integer ms, UTC: SDK keys that have expired are left out.
 */
export function relayEnvironments(
  { environments: all, roles }: Pick<RelayDocuments, 'environments' | 'roles'>,
  { config, limits }: RelayKey,
  now: number,
): RelayEnvironments {
  const policy = layersOf([{ statements: config.policy }], roles)
  const rights = layersOf([...config.policyLimits, ...limits], roles)
  const visible = all.filter((place) => isServed(place, policy, rights))
  return new Map(visible.map((place) => [place.environment.id, relayEnvironmentOf(place, config, rights, now)]))
}

/**
 * Returns the next time at which a key of a relay or an SDK key expires: integer ms, UTC; infinity when no key expires.
 */
export function nextExpiry({ configs, environments: all }: RelayDocuments, now: number): number {
  const times = [...configs.map(({ retiredUntil = 0 }) => retiredUntil), ...all.flatMap(expiriesOf)]
  return times.reduce((next, time) => (time > now ? Math.min(next, time) : next), Number.POSITIVE_INFINITY)
}

/** Compiles grants, one layer each. Roles that were deleted grant nothing. */
function layersOf(grants: readonly Grant[], roles: readonly Role[]): readonly CompiledPolicy[] {
  const bearer = { id: 'relay', tokenId: undefined, memberId: undefined, personal: false, grants }
  return callerOf(bearer, { member: undefined, teams: [], roles })?.layers ?? []
}

/** Returns the times at which SDK keys of an environment expire: integer ms, UTC. */
function expiriesOf({ environment, sdkKeys }: ProjectEnvironment): number[] {
  const times = [environment.retiredApiKey?.until, ...sdkKeys.map(({ expiry }) => expiry)]
  return times.filter((time) => time !== undefined)
}

function isServed(
  place: ProjectEnvironment,
  policy: readonly CompiledPolicy[],
  rights: readonly CompiledPolicy[],
): boolean {
  const levels = levelsOf(place)
  // The API shows an environment only to callers who may view its project.
  const mayViewProject = () => rights.every((layer) => decide(layer, 'viewProject', levels.slice(0, 1)).allowed)
  return mayViewKey(policy, levels) && mayViewKey(rights, levels) && mayViewProject()
}

/** Returns the levels of the address of an environment. */
function levelsOf({ project, environment }: ProjectEnvironment): readonly ResourceLevel[] {
  return [
    { kind: 'proj', key: project.key, ...projects.attributes?.(project) },
    { kind: 'env', key: environment.key, ...environments.attributes?.(environment) },
  ]
}

function mayViewKey(layers: readonly CompiledPolicy[], levels: readonly ResourceLevel[]): boolean {
  return layers.every((layer) => decide(layer, 'viewSdkKey', levels).allowed)
}

function relayEnvironmentOf(
  place: ProjectEnvironment,
  config: RelayConfig,
  rights: readonly CompiledPolicy[],
  now: number,
): RelayEnvironment {
  const { project, environment } = place
  const { apiKey, retiredApiKey, mobileKey, defaultTtl, secureMode } = environment
  const expiring = retiredApiKey && now < retiredApiKey.until ? retiredApiKey : undefined
  const levels = levelsOf(place)
  const additional = place.sdkKeys.filter(
    ({ key, expiry = Number.POSITIVE_INFINITY }) =>
      now < expiry && mayViewKey(rights, [...levels, { kind: 'sdk-key', key }]),
  )
  const previous = expiring ? [{ key: 'default-previous', value: expiring.value, expiry: expiring.until }] : []
  return {
    envID: environment.id,
    envKey: environment.key,
    envName: environment.name,
    projKey: project.key,
    projName: project.name,
    sdkKey: {
      value: apiKey,
      ...(expiring ? { expiring: { value: expiring.value, timestamp: expiring.until } } : {}),
    },
    mobKey: mobileKey,
    ...entriesOf('sdkKeys', { defaults: [{ key: 'default', value: apiKey }, ...previous], additional }, 'sdk'),
    ...entriesOf('mobileKeys', { defaults: [{ key: 'default-mobile', value: mobileKey }], additional }, 'mobile'),
    defaultTtl,
    secureMode,
    // The version must be the same in all processes, and must increase with each write of the documents and when a key
    // expires. A write of an SDK key also writes the environment. The version includes that of the configuration,
    // because the configuration limits which SDK keys are listed.
    version:
      2 * (environment.version + project.version + config.version) +
      expiriesOf(place).filter((time) => time <= now).length,
  }
}

/** The default keys of an environment, and its additional keys. */
interface KeyLists {
  readonly defaults: readonly Pick<SdkKey, 'key' | 'value' | 'expiry'>[]
  readonly additional: readonly SdkKey[]
}

/**
 * Returns the list of all keys of a kind, if there are additional ones. A relay that finds a list ignores the
 * properties that hold the default and the previous key, except that the list must contain the default key.
 */
function entriesOf<Name extends 'sdkKeys' | 'mobileKeys'>(
  name: Name,
  { defaults, additional }: KeyLists,
  kind: SdkKeyKind,
) {
  const others = additional.filter((sdkKey) => sdkKey.kind === kind)
  if (others.length === 0) return {}
  const entries = [...defaults, ...others].flatMap(({ key, value, expiry }) =>
    value === undefined ? [] : [{ key, value, ...(expiry === undefined ? {} : { expiry }), hasViews: false }],
  )
  return { [name]: entries }
}
