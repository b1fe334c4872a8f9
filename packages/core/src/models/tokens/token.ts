import type { Grant } from '../../operation/caller.ts'
import { documents, type Versioned } from '../../storage/collection.ts'

/** An access token as its owners see it; the secret itself is never stored. */
export interface Token extends Versioned {
  readonly id: string
  readonly name: string
  readonly description: string
  /** The owner of the account. */
  readonly ownerId: string
  /** Who made it; the owner of the account where the host itself did. */
  readonly memberId: string
  readonly serviceToken: boolean
  readonly grant: Grant
  /** What its creator, and whoever changed or reset it, was held to: one layer each, and each must allow (D16). */
  readonly ceiling: readonly Grant[]
  readonly defaultApiVersion: number
  readonly lastFour: string
  /** SHA-256 of its present value: where its credential is. */
  readonly hash: string
  /** The same of the value before, where a reset left it some time. */
  readonly retiredHash?: string
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
  secrets: ['hash', 'retiredHash', 'lastFour'],
  withoutSecrets: 'left out',
  changes: {
    id: null,
    name: 'updateAccessTokenName',
    description: 'updateAccessTokenDescription',
    ownerId: null,
    memberId: null,
    serviceToken: null,
    grant: 'updateAccessTokenPolicy',
    ceiling: null,
    defaultApiVersion: 'updateAccessTokenPolicy',
    lastFour: null,
    hash: 'resetAccessToken',
    retiredHash: null,
    createdAt: null,
    lastModified: null,
  },
})

/** The token that a value belongs to, found by its hash alone (D6). After a reset a token can have two for a while. */
export interface Credential extends Versioned {
  readonly tokenId: string
  /** Integer ms; undefined for ever. */
  readonly expiresAt: number | undefined
}

export const credentials = documents<Credential>()({
  name: 'credential',
  address: 'credential/{hash}',
  withoutSecrets: 'left out',
})

/** When a token was last used. Apart from the token, so that using it does not race with changing it. */
export interface TokenUse extends Versioned {
  readonly at: number
}

export const tokenUses = documents<TokenUse>()({
  name: 'token-use',
  address: 'token-use/{id}',
  withoutSecrets: 'left out',
})
