import type { ServiceIdentity } from '@halyard/core'

/** Names of the claims that identify a member. */
export interface ClaimNames {
  /**
   * Claim with the id or the e-mail address of a member. Default `email`, which counts only when the claim
   * `email_verified` is true; any other claim must be one that users cannot choose themselves.
   */
  readonly member?: string
  /** Claim with the base role that replaces the stored one. Without this option, the stored role applies. */
  readonly role?: string
  /** Claim with the keys of the teams that replace the stored ones. Without this option, the stored teams apply. */
  readonly teams?: string
}

/** The rights of tokens that name no member, such as tokens of CI jobs. */
export interface ServiceRule extends Pick<ServiceIdentity, 'role' | 'inlinePolicy'> {
  /**
   * Pattern of the claim `sub` of the tokens, in which `*` matches any text, e.g. `repo:acme/shop:ref:refs/heads/*`. It
   * must not match tokens that others can get from the same issuer.
   */
  readonly subject: string
}

/** Options of `jwtIdentifier`. */
export interface JwtIdentifierOptions {
  /** The value of the claim `iss`: an https URL, or an http URL of this machine. */
  readonly issuer: string
  /** The value of the claim `aud`, or a list of accepted values. */
  readonly audience: string | readonly string[]
  /** Public keys, for an issuer that cannot be reached. Default: those that the issuer publishes. */
  readonly jwks?: { readonly keys: readonly object[] }
  /** Address of the public keys. Default: the address in `/.well-known/openid-configuration` of the issuer. */
  readonly jwksUri?: string
  /** Names of the claims that identify a member. */
  readonly claims?: ClaimNames
  /**
   * Rights of tokens that name no member; the first rule whose subject matches applies. Default: no rules, so such
   * tokens are refused.
   */
  readonly services?: readonly ServiceRule[]
  /** Tolerated difference of the clocks, seconds. Default 30. */
  readonly clockTolerance?: number
  /** Minimum time between two requests for the keys of the issuer, ms. Default 30 000. */
  readonly refetchAfterMs?: number
  /** Maximum duration of a request to the issuer, ms. Default 5 000. */
  readonly timeoutMs?: number
}

/** @throws TypeError naming the option that is invalid. */
export function validateOptions({ issuer, audience, jwksUri, services = [] }: JwtIdentifierOptions): void {
  for (const [name, address] of Object.entries({ issuer, jwksUri })) {
    if (address !== undefined && !isTrustedUrl(address))
      throw new TypeError(`${name}: must be an https URL, or an http URL of this machine`)
  }
  const audiences = typeof audience === 'string' ? [audience] : (audience ?? [])
  if (audiences.length === 0 || audiences.includes('')) throw new TypeError('audience: must not be empty')
  for (const { subject, role, inlinePolicy } of services) {
    // Anyone may get a token from an issuer that serves everyone, so a rule must restrict whose tokens it accepts.
    if (!/[^*]/.test(subject)) throw new TypeError('services: subject: must not match every token')
    if (role === undefined && inlinePolicy === undefined)
      throw new TypeError(`services: ${subject}: must have a role or an inlinePolicy`)
  }
}

/** Returns true for URLs whose responses no one on the network can replace. */
function isTrustedUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
}
