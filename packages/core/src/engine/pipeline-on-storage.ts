import type { EngineOptions } from '../operation/engine-options.ts'
import type { Identifier } from '../operation/identity.ts'
import type { AddressGuard } from '../operation/request-origin.ts'
import { createAuthority, policySelection } from '../pipeline/access/authority.ts'
import { Authenticator } from '../pipeline/authenticate.ts'
import { type EngineCaches, engineCaches } from '../pipeline/caching/engine-caches.ts'
import { writingOf } from '../pipeline/execute.ts'
import { RateLimiter } from '../pipeline/rate-limit.ts'
import type { RequestPipeline } from '../pipeline/request-pipeline.ts'
import { pauses } from '../platform.ts'
import { describedCollections } from '../resources/generated/described-collections.ts'
import { AllowlistGuard } from '../resources/ip-allowlist/address-guard.ts'
import { policy } from '../resources/policy.ts'
import { identifier } from '../resources/tokens/identify-token.ts'
import type { AccountStorage } from '../storage/port.ts'
import { StorageReader } from '../storage/reader.ts'

/**
 * Returns the pipeline over another storage. The pipeline caches nothing: values read in an open transaction must not
 * be used outside the transaction, and cached values must not be used inside. It shares the rate limits, which count
 * all requests.
 */
export function pipelineOn(
  pipeline: RequestPipeline,
  storage: AccountStorage,
  options = pipeline.options,
): RequestPipeline {
  const caches = engineCaches(storage, { cache: undefined }, pauses)
  return {
    ...pipeline,
    ...callerParts(options, storage, caches, { tokens: identifier({ recordUses: false }) }),
    writing: writingOf(() => pipeline.makeWriting(options)),
    accountStorage: storage,
    storage: caches.storage,
    // A call outside a transaction may wait for the transaction's end, so a call inside it must not wait for that call.
    queues: undefined,
    settled: () => undefined,
  }
}

/** The parts that identify callers and check their addresses. */
export interface CallerChecks {
  readonly tokens: Identifier
  /** Refuses requests by their addresses. Default: by the IP allowlist in the storage. */
  readonly guard?: AddressGuard
}

/** Returns the parts of a pipeline that find callers and decide what they may do. */
export function callerParts(
  { host, onDecision }: EngineOptions,
  storage: AccountStorage,
  { storage: { reads }, invalidator, callers, identities, joined }: EngineCaches,
  { tokens, guard = new AllowlistGuard(reads, invalidator) }: CallerChecks,
) {
  return {
    guard,
    authenticator: new Authenticator({
      storage,
      reads,
      host,
      policy,
      identifier: tokens,
      invalidator,
      callers,
      identities,
      guard,
    }),
    view: {
      reader: new StorageReader(reads),
      authority: createAuthority(reads, policy, describedCollections, onDecision),
      joined,
    },
    // These decisions select webhooks and do not authorize a caller, so `onDecision` does not receive them.
    selection: policySelection(createAuthority(reads, policy, describedCollections)),
  }
}

/** Returns the limiter of an engine; undefined for one that limits no rates. */
export function rateLimiterOf({ rateLimit, host }: EngineOptions, storage: AccountStorage): RateLimiter | undefined {
  return rateLimit && new RateLimiter(rateLimit, host, rateLimit.shared ? storage.reserve?.bind(storage) : undefined)
}
