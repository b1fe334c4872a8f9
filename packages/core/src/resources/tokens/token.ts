import type { Grant } from '../../operation/caller.ts'
import { documents, type Versioned } from '../../storage/collection.ts'

/** An access token as its owners see it; the secret itself is never stored. */
export interface Token extends Versioned {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Who made it: a member, or the account itself for a caller without one. */
  readonly memberId: string
  readonly serviceToken: boolean
  readonly grant: Grant
  readonly defaultApiVersion: number
  readonly lastFour: string
  /** SHA-256 of its present value: where its credential is. */
  readonly hash: string
  readonly createdAt: number
  readonly lastModified: number
}

export const tokens = documents<Token>()({
  name: 'token',
  address: 'token/{id}',
  fields: ({ memberId, serviceToken, createdAt }) => ({ memberId, serviceToken, createdAt }),
  resource: ({ id, memberId, serviceToken }) =>
    serviceToken
      ? [{ kind: 'service-token', key: id }]
      : [
          { kind: 'member', key: memberId },
          { kind: 'token', key: id },
        ],
  changes: {
    id: null,
    name: 'updateAccessTokenName',
    description: 'updateAccessTokenDescription',
    memberId: null,
    serviceToken: null,
    grant: 'updateAccessTokenPolicy',
    defaultApiVersion: 'updateAccessTokenPolicy',
    lastFour: null,
    hash: 'resetAccessToken',
    createdAt: null,
    lastModified: null,
  },
})

/** What the value of a token opens, found by its hash alone (D6). One token can have two for a while, after a reset. */
export interface Credential extends Versioned {
  readonly tokenId: string
  /** The member it shrinks with; undefined for a service token, which belongs to the account. */
  readonly memberId: string | undefined
  /** One layer each, all of which must allow: its own roles first, then what its creator was held to. */
  readonly grants: readonly Grant[]
  /** Integer ms; undefined for ever. */
  readonly expiresAt: number | undefined
}

export const credentials = documents<Credential>()({ name: 'credential', address: 'credential/{hash}' })

/** When a token was last used. Apart from the token, so that using it does not race with changing it. */
export interface TokenUse extends Versioned {
  readonly at: number
}

export const tokenUses = documents<TokenUse>()({ name: 'token-use', address: 'token-use/{id}' })
