import { documents, type Versioned } from '../../storage/collection.ts'

/** A link from a flag, in all environments, to something elsewhere: a ticket, a page, a discussion. */
export interface FlagLink extends Versioned {
  readonly id: string
  /** Unique among the links of the flag. */
  readonly key: string
  /** The integration that the link belongs to; left out for a plain address. */
  readonly integrationKey?: string
  /** Absolute http or https address. */
  readonly deepLink: string
  readonly title: string
  readonly description: string
  /** Integer ms; what the link is about happened then. */
  readonly timestamp: number
  /** What the integration keeps with it. */
  readonly metadata?: Readonly<Record<string, string>>
  /** Who made it; left out for a caller that is no member. */
  readonly memberId?: string
  readonly createdAt: number
}

const flag = 'proj/{projectKey}:env/*:flag/{featureFlagKey}'

export const flagLinks = documents<FlagLink>()({
  name: 'flag-link',
  address: `${flag}:flag-link/{id}`,
  policyAddress: flag,
  fields: ({ createdAt }) => ({ createdAt }),
  changes: {
    id: null,
    key: null,
    integrationKey: null,
    deepLink: 'updateFlagLink',
    title: 'updateFlagLink',
    description: 'updateFlagLink',
    timestamp: 'updateFlagLink',
    metadata: 'updateFlagLink',
    memberId: null,
    createdAt: null,
  },
})

/** Holds a key for one link: of two that are made at once with the same one, the second finds it taken. */
export interface FlagLinkKey extends Versioned {
  readonly id: string
}

export const flagLinkKeys = documents<FlagLinkKey>()({
  name: 'flag-link-key',
  address: `${flag}:flag-link-key/{key}`,
})
