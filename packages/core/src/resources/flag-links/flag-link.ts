import { documents, type Versioned } from '../../storage/collection.ts'

/** A link from a flag, in all environments, to an external page such as a ticket or a discussion. */
export interface FlagLink extends Versioned {
  readonly id: string
  /** Unique among the links of the flag. */
  readonly key: string
  /** Key of the integration that the link belongs to; undefined for a plain URL. */
  readonly integrationKey?: string
  /** Absolute http or https URL. */
  readonly deepLink: string
  readonly title: string
  readonly description: string
  /** Time of the event that the link is about, integer ms. */
  readonly timestamp: number
  /** Metadata of the integration. */
  readonly metadata?: Readonly<Record<string, string>>
  /** Id of the member who created the link; undefined when the caller was not a member. */
  readonly memberId?: string
  readonly createdAt: number
}

const flag = 'proj/{projectKey}:env/*:flag/{flagKey}'

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

/** Reserves a key for one link. When two links with the same key are created concurrently, the second one fails. */
export interface FlagLinkKey extends Versioned {
  readonly id: string
}

export const flagLinkKeys = documents<FlagLinkKey>()({
  name: 'flag-link-key',
  recorded: true,
  address: `${flag}:flag-link-key/{key}`,
})
