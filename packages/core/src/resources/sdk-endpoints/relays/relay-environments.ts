import { type Environment, environments } from '../../../models/environments/environment.ts'
import { type Project, projects } from '../../../models/projects/project.ts'
import type { RelayConfig } from '../../../models/relay-configs/relay-config.ts'
import type { Role } from '../../../models/roles/role.ts'
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

/** An environment and its project. */
export interface ProjectEnvironment {
  readonly project: Project
  readonly environment: Environment
}

/** A key of a configuration. */
export interface RelayKey {
  readonly config: RelayConfig
  /** Rights of the caller who received the key, one layer each. */
  readonly limits: readonly Grant[]
  /** Time from which it is invalid: integer ms, UTC; infinity when it does not expire. */
  readonly until: number
}

/** Returns the keys of configurations by their hashes, with those that have expired. */
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
 * Returns the environments that a relay with a key receives: those on which the policy allows `viewSdkKey`, as far as the
 * caller who wrote the policy and the one who received the key may view their SDK keys
 * (docs/decisions/0142-limit-relays-by-the-rights-of-their-authors.md).
 *
 * @param now integer ms, UTC: a previous SDK key that has expired is left out.
 */
export function relayEnvironments(
  { environments: all, roles }: Pick<RelayDocuments, 'environments' | 'roles'>,
  { config, limits }: RelayKey,
  now: number,
): RelayEnvironments {
  const policy = layersOf([{ statements: config.policy }], roles)
  const rights = layersOf([...config.policyLimits, ...limits], roles)
  const visible = all.filter((place) => isServed(place, policy, rights))
  return new Map(visible.map((place) => [place.environment.id, relayEnvironmentOf(place, now)]))
}

/** Returns the next time at which a key of a relay or an SDK key expires: integer ms, UTC; infinity when none does. */
export function nextExpiry({ configs, environments: all }: RelayDocuments, now: number): number {
  const times = [
    ...configs.map(({ retiredUntil = 0 }) => retiredUntil),
    ...all.map(({ environment }) => environment.retiredApiKey?.until ?? 0),
  ]
  return times.reduce((next, time) => (time > now ? Math.min(next, time) : next), Number.POSITIVE_INFINITY)
}

/** Compiles grants, one layer each. Roles that were deleted grant nothing. */
function layersOf(grants: readonly Grant[], roles: readonly Role[]): readonly CompiledPolicy[] {
  const bearer = { id: 'relay', tokenId: undefined, memberId: undefined, personal: false, grants }
  return callerOf(bearer, { member: undefined, teams: [], roles })?.layers ?? []
}

function isServed(
  { project, environment }: ProjectEnvironment,
  policy: readonly CompiledPolicy[],
  rights: readonly CompiledPolicy[],
): boolean {
  const projectLevel: ResourceLevel = { kind: 'proj', key: project.key, ...projects.attributes?.(project) }
  const level: ResourceLevel = { kind: 'env', key: environment.key, ...environments.attributes?.(environment) }
  const mayView = (layers: readonly CompiledPolicy[]) =>
    layers.every((layer) => decide(layer, 'viewSdkKey', [projectLevel, level]).allowed)
  // The API shows an environment only to callers who may view its project.
  const mayViewProject = () => rights.every((layer) => decide(layer, 'viewProject', [projectLevel]).allowed)
  return mayView(policy) && mayView(rights) && mayViewProject()
}

function relayEnvironmentOf({ project, environment }: ProjectEnvironment, now: number): RelayEnvironment {
  const { apiKey, retiredApiKey, mobileKey, defaultTtl, secureMode } = environment
  const expiring = retiredApiKey && now < retiredApiKey.until ? retiredApiKey : undefined
  const hasExpired = retiredApiKey !== undefined && !expiring
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
    defaultTtl,
    secureMode,
    // Must be the same in all processes, and increase with each write of the documents and with the expiry of a key.
    version: 2 * (environment.version + project.version) + (hasExpired ? 1 : 0),
  }
}
