import type { Grant } from '../../operation/caller.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'

/**
 * A configuration of relays: with its key, a relay receives the environments that the policy allows, with their SDK
 * keys. The key itself is never stored.
 */
export interface RelayConfig extends Versioned {
  /** A UUID. */
  readonly id: string
  readonly name: string
  /** Statements on environments. A relay receives the environments on which they allow `viewSdkKey`. */
  readonly policy: readonly Statement[]
  /**
   * Rights of the caller who wrote the policy or reset the key last, one layer each. A relay receives only environments
   * that all of these layers allow (docs/decisions/0142-limit-relays-by-the-rights-of-their-authors.md).
   */
  readonly policyLimits: readonly Grant[]
  /** Rights of the caller who received the key, one layer each. */
  readonly keyLimits: readonly Grant[]
  /** SHA-256 of the key; undefined after an import or a revert without secrets, until the key is reset. */
  readonly hash?: string
  /** Last four characters of the key. */
  readonly lastFour?: string
  /** SHA-256 of the previous key, if a reset left it valid for some time. */
  readonly retiredHash?: string
  /** Time from which the previous key is invalid, integer ms, UTC. */
  readonly retiredUntil?: number
  /** Rights of the caller who received the previous key, one layer each. */
  readonly retiredLimits?: readonly Grant[]
  /** The member who created it; undefined when the host did. */
  readonly creatorId?: string
  /** Integer ms, UTC. */
  readonly createdAt: number
  readonly lastModified: number
}

export const relayConfigs = documents<RelayConfig>()({
  name: 'relay-config',
  noun: 'Relay Proxy configuration',
  address: 'relay-proxy-config/{id}',
  fields: ({ createdAt }) => ({ createdAt }),
  secrets: ['hash', 'lastFour', 'retiredHash'],
  withoutSecrets: { missing: (rest) => rest },
  shown: {
    id: '_id',
    policyLimits: null,
    keyLimits: null,
    retiredUntil: null,
    retiredLimits: null,
    creatorId: null,
    createdAt: shownTime('creationDate'),
    lastModified: shownTime('lastModified'),
  },
  sentences: {
    changed: {
      policy: (_before, _after, { it, noun }) => `changed the policy of the ${noun} ${it}`,
      hash: (_before, _after, { it, noun }) => `reset the key of the ${noun} ${it}`,
    },
  },
  changes: {
    id: null,
    name: 'updateRelayAutoConfigurationName',
    policy: 'updateRelayAutoConfigurationPolicy',
    policyLimits: null,
    keyLimits: null,
    hash: 'resetRelayAutoConfiguration',
    lastFour: null,
    retiredHash: null,
    retiredUntil: null,
    retiredLimits: null,
    creatorId: null,
    createdAt: null,
    lastModified: null,
  },
})
