import type { Caller } from '../../operation/caller.ts'
import type { Resource } from '../../rules/address.ts'
import type { AccessDetails } from '../../rules/policy/access-details.ts'
import type { Explanation } from '../../rules/policy/explain.ts'
import { type Decision, decide } from '../../rules/policy/policy.ts'
import type { PolicyRules } from '../../rules/policy/policy-rules.ts'
import type { Documents, Versioned } from '../../storage/collection.ts'
import type { StorageReads } from '../../storage/reads.ts'
import { AccessCache } from './access-cache.ts'
import { explainInLayers } from './explain-layers.ts'
import { type AttributeSources, attributeSources, lacksAny, readAttributes } from './resource-attributes.ts'

/** Values that the authorities over different reads of one account have in common. */
interface AuthorityParts {
  readonly policy: PolicyRules
  readonly sources: AttributeSources
  readonly cache: AccessCache
  readonly onDecision: ((decision: Decision) => void) | undefined
}

/**
 * Creates the authority over an account.
 *
 * @param collections those whose documents have attributes that policies test.
 * @param onDecision receives every decision, one for each layer that was evaluated.
 */
export function createAuthority(
  reads: StorageReads,
  policy: PolicyRules,
  collections: readonly Documents<Versioned>[],
  onDecision?: (decision: Decision) => void,
): Authority {
  const sources = attributeSources(collections)
  return new Authority(reads, { policy, sources, cache: new AccessCache(policy), onDecision })
}

/**
 * Decides what callers may do; no other part of the pipeline evaluates a policy. It decides synchronously unless a
 * policy tests attributes that have to be read first: a promise for every decision would cost more than the decision.
 */
export class Authority {
  readonly #reads: StorageReads
  readonly #parts: AuthorityParts

  constructor(reads: StorageReads, parts: AuthorityParts) {
    this.#reads = reads
    this.#parts = parts
  }

  /** Returns the same authority with `reads` as its source of attributes. */
  over(reads: StorageReads): Authority {
    return reads === this.#reads ? this : new Authority(reads, this.#parts)
  }

  decide(caller: Caller, action: string, resource: Resource): Decision | Promise<Decision> {
    const { onDecision } = this.#parts
    if (!lacksAny(caller, resource)) return decideInLayers(caller, action, resource, onDecision)
    return this.#withAttributes(caller, resource).then((full) => decideInLayers(caller, action, full, onDecision))
  }

  /** Returns the same decision with its reasons, which takes many times as long. */
  async explain(caller: Caller, action: string, resource: Resource): Promise<Explanation> {
    const full = lacksAny(caller, resource) ? await this.#withAttributes(caller, resource) : resource
    return explainInLayers(this.#parts.policy, caller, action, full)
  }

  /** Returns the access details of a resource. They are cached and shared, so they are frozen. */
  accessOf(caller: Caller, resource: Resource): AccessDetails | Promise<AccessDetails> {
    const { cache } = this.#parts
    if (!lacksAny(caller, resource)) return cache.accessOf(caller, resource)
    return this.#withAttributes(caller, resource).then((full) => cache.accessOf(caller, full))
  }

  #withAttributes(caller: Caller, resource: Resource): Promise<Resource> {
    return readAttributes(this.#reads, this.#parts.sources, caller, resource)
  }
}

function decideInLayers(
  caller: Caller,
  action: string,
  resource: Resource,
  onDecision: ((decision: Decision) => void) | undefined,
): Decision {
  let last: Decision = { allowed: false }
  for (const layer of caller.layers) {
    last = decide(layer, action, resource)
    onDecision?.(last)
    if (!last.allowed) return last
  }
  return last
}
