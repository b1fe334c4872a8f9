import type { Grant } from '../../operation/caller.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'

/** An access token. The secret itself is never stored. */
export interface Token extends Versioned {
  readonly id: string
  readonly name: string
  readonly description: string
  /** The owner of the account. */
  readonly ownerId: string
  /** The member who created it; the owner of the account when the host did. */
  readonly memberId: string
  readonly serviceToken: boolean
  readonly grant: Grant
  /**
   * Limits of its creator, and of every caller who changed or reset it: one layer each. All layers must allow an action
   * (docs/decisions/0002-decide-access-by-policy.md#d16-tokens).
   */
  readonly ceiling: readonly Grant[]
  readonly defaultApiVersion: number
  readonly lastFour: string
  /** SHA-256 of its current value, which is the key of its credential. */
  readonly hash: string
  /** SHA-256 of its previous value, if a reset left that value valid for some time. */
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
  shown: {
    id: '_id',
    grant: ({ role, customRoles = [], statements = [] }) => ({
      customRoleIds: customRoles,
      inlineRole: statements,
      ...(role ? { role } : {}),
    }),
    ceiling: null,
    createdAt: shownTime('creationDate'),
    lastModified: shownTime('lastModified'),
  },
  sentences: {
    changed: {
      grant: (_before, _after, { it }) => `changed the rights of the token ${it}`,
      hash: (_before, _after, { it }) => `reset the token ${it}`,
      defaultApiVersion: 'default API version',
    },
  },
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

/**
 * Index entry by which a token is found by the hash of its value
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d6-credentials). After a reset, a token can have two
 * entries for some time.
 */
export interface Credential extends Versioned {
  readonly tokenId: string
  /** Integer ms; undefined when it does not expire. */
  readonly expiresAt: number | undefined
}

export const credentials = documents<Credential>()({
  name: 'credential',
  address: 'credential/{hash}',
  withoutSecrets: 'left out',
})

/** Time of the last use of a token. Stored separately, so that uses do not conflict with changes of the token. */
export interface TokenUse extends Versioned {
  readonly at: number
}

export const tokenUses = documents<TokenUse>()({
  name: 'token-use',
  address: 'token-use/{id}',
  withoutSecrets: 'left out',
})
