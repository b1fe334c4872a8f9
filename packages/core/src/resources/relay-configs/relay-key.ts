import type { RelayConfig } from '../../models/relay-configs/relay-config.ts'
import type { Caller } from '../../operation/caller.ts'
import type { Host } from '../../operation/context.ts'
import { limitsOf } from '../tokens/ceiling.ts'

/** A new key, and the properties of the configuration that it sets. */
export interface NewRelayKey {
  /** The secret that relays send. */
  readonly fullKey: string
  readonly properties: Pick<RelayConfig, 'hash' | 'lastFour' | 'keyLimits' | 'policyLimits'>
}

/**
 * Generates a key: `rel-` and 32 random bytes in hex. The caller receives the key, so the key is limited to what the
 * caller may view.
 */
export async function newRelayKey(host: Host, caller: Caller): Promise<NewRelayKey> {
  const fullKey = `rel-${host.randomHex(32)}`
  const limits = limitsOf(caller)
  const hash = await host.sha256(fullKey)
  return { fullKey, properties: { hash, lastFour: fullKey.slice(-4), keyLimits: limits, policyLimits: limits } }
}
