import { flags } from '../../models/flags/flag.ts'
import { dateText, shortName } from '../../rules/sentences/sentence.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'

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

/** Returns a time in the formats that clients of links expect, all in UTC. */
export function timestampFormats(milliseconds: number) {
  const simple = new Date(milliseconds).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)
  return {
    milliseconds,
    seconds: Math.floor(milliseconds / 1000),
    rfc3339: `${simple}Z`,
    simple: simple.replace('T', ' '),
  }
}

export const flagLinks = documents<FlagLink>()({
  name: 'flag-link',
  address: `${flag}:flag-link/{id}`,
  policyAddress: flag,
  fields: ({ createdAt }) => ({ createdAt }),
  shown: {
    id: '_id',
    key: '_key',
    integrationKey: '_integrationKey',
    deepLink: '_deepLink',
    timestamp: (milliseconds) => ({ _timestamp: timestampFormats(milliseconds) }),
    metadata: '_metadata',
    memberId: null,
    createdAt: shownTime('_createdAt'),
  },
  partOf: flags,
  sentences: {
    name: ({ title, key }, whole) => `${shortName(title || key)} of ${whole}`,
    changed: {
      title: ({ title: before }, { title }, { it }) =>
        before === '' ? `named the link ${it} ${shortName(title)}` : `renamed the link ${it} to ${shortName(title)}`,
      deepLink: 'target',
      timestamp: ({ timestamp: before }, { timestamp }, { it }) =>
        `changed the time of ${it} from ${dateText(before)} to ${dateText(timestamp)}`,
    },
  },
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
