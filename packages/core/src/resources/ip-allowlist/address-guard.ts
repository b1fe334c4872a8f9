import { type IpAllowlist, initialIpAllowlist, ipAllowlists } from '../../models/ip-allowlist/ip-allowlist.ts'
import { fail } from '../../operation/errors.ts'
import type { AddressGuard, CredentialKind, RequestOrigin } from '../../operation/request-origin.ts'
import { AllowedAddresses } from '../../rules/ip-addresses/allowed-addresses.ts'
import { bodyOf } from '../../storage/collection.ts'
import { DependencyCache, type Invalidator, trackedReads } from '../../storage/dependency-cache.ts'
import type { StorageReads } from '../../storage/reads.ts'

/** The IP allowlist of an account, in the form in which requests are compared with it. */
interface CompiledAllowlist {
  readonly isEnabled: Readonly<Record<CredentialKind, boolean>>
  readonly addresses: AllowedAddresses
}

/** Reads the IP allowlist of an account, and caches it until it changes. */
export class AllowlistGuard implements AddressGuard {
  readonly known: DependencyCache<CompiledAllowlist>
  readonly #reads: StorageReads
  readonly #invalidator: Invalidator

  /** @param reads reads of the account whose allowlist applies. */
  constructor(reads: StorageReads, invalidator: Invalidator) {
    this.#reads = reads
    this.#invalidator = invalidator
    this.known = new DependencyCache(invalidator, { capacity: 1 })
  }

  admit(origin: RequestOrigin): Promise<void> | void {
    const cached = this.known.get('')
    if (cached) requireAllowed(cached, origin)
    else return this.#load().then((allowlist) => requireAllowed(allowlist, origin))
  }

  async #load(): Promise<CompiledAllowlist> {
    const tracker = this.#invalidator.track()
    try {
      const id = ipAllowlists.id({})
      const stored = await (tracker ? trackedReads(this.#reads, tracker) : this.#reads).get(id)
      const compiled = compile(bodyOf(ipAllowlists, stored) ?? initialIpAllowlist)
      if (tracker) this.known.set('', compiled, 1, tracker)
      return compiled
    } catch (error) {
      tracker?.stop()
      throw error
    }
  }
}

function compile({ sessionAllowlistEnabled, apiTokenAllowlistEnabled, entries }: IpAllowlist): CompiledAllowlist {
  return {
    isEnabled: { session: sessionAllowlistEnabled, apiToken: apiTokenAllowlistEnabled },
    addresses: new AllowedAddresses(entries.map(({ ipAddress }) => ipAddress)),
  }
}

function requireAllowed({ isEnabled, addresses }: CompiledAllowlist, origin: RequestOrigin): void {
  if (!isEnabled[origin.credential]) return
  const address = origin.clientAddress()
  if (address === undefined) {
    fail('forbidden', {
      message:
        'Forbidden. The account has an IP allowlist, and the server does not know the address of the client: the option ' +
        'clientAddress of its transport is missing or returns undefined.',
    })
  }
  if (!addresses.contain(address)) {
    fail('forbidden', {
      message: `Forbidden. The IP allowlist of the account does not contain the address ${address}.`,
    })
  }
}
