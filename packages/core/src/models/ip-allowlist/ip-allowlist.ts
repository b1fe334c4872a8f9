import { listed, type Subject } from '../../rules/sentences/sentence.ts'
import { documents, type Versioned } from '../../storage/collection.ts'

/**
 * The addresses that may send requests to the management API, and the kinds of callers that this limits
 * (docs/decisions/0143-limit-requests-by-the-address-that-the-transport-gives.md).
 */
export interface IpAllowlist extends Versioned {
  /** True when a request with a session is refused unless an entry contains its address. */
  readonly sessionAllowlistEnabled: boolean
  /** True when a request with an access token is refused unless an entry contains its address. */
  readonly apiTokenAllowlistEnabled: boolean
  /** The entries in the order of their creation, oldest first. */
  readonly entries: readonly IpAllowlistEntry[]
}

/** An address, or a range of addresses in CIDR notation. */
export interface IpAllowlistEntry {
  readonly id: string
  /** The text that the caller sent. */
  readonly ipAddress: string
  readonly description?: string
}

/** The IP allowlist of an account in which it was never changed. */
export const initialIpAllowlist: IpAllowlist = {
  version: 0,
  sessionAllowlistEnabled: false,
  apiTokenAllowlistEnabled: false,
  entries: [],
}

function stateSentence(isEnabled: boolean, { it }: Subject, callers: string): string {
  return `turned ${isEnabled ? 'on' : 'off'} ${it} for ${callers}`
}

function sentencesOfEntries(before: IpAllowlist, after: IpAllowlist, { it }: Subject): readonly string[] {
  const { added, removed, changed } = differenceOf(before.entries, after.entries)
  const addresses = (entries: Entries) => listed(entries.map(({ ipAddress }) => ipAddress))
  return [
    ...(added.length > 0 ? [`added ${addresses(added)} to ${it}`] : []),
    ...(removed.length > 0 ? [`removed ${addresses(removed)} from ${it}`] : []),
    ...(changed.length > 0 ? [`changed the description of ${addresses(changed)} in ${it}`] : []),
  ]
}

type Entries = IpAllowlist['entries']

function differenceOf(before: Entries, after: Entries) {
  const old = new Map(before.map((entry) => [entry.id, entry]))
  const retainedIds = new Set(after.map(({ id }) => id))
  return {
    added: after.filter(({ id }) => !old.has(id)),
    removed: before.filter(({ id }) => !retainedIds.has(id)),
    changed: after.filter((entry) => {
      const other = old.get(entry.id)
      return other && (other.description !== entry.description || other.ipAddress !== entry.ipAddress)
    }),
  }
}

export const ipAllowlists = documents<IpAllowlist>()({
  name: 'ip-allowlist',
  noun: 'IP allowlist',
  address: 'ip-allowlist',
  shown: { entries: (entries) => ({ entries: entries.map(({ id, ...rest }) => ({ _id: id, ...rest })) }) },
  sentences: {
    name: () => 'the IP allowlist',
    changed: {
      sessionAllowlistEnabled: (_, { sessionAllowlistEnabled }, subject) =>
        stateSentence(sessionAllowlistEnabled, subject, 'sessions'),
      apiTokenAllowlistEnabled: (_, { apiTokenAllowlistEnabled }, subject) =>
        stateSentence(apiTokenAllowlistEnabled, subject, 'access tokens'),
      entries: sentencesOfEntries,
    },
  },
  changes: {
    sessionAllowlistEnabled: 'updateIpAllowlistEnabled',
    apiTokenAllowlistEnabled: 'updateIpAllowlistEnabled',
    entries: {
      actions: ['createIpAllowlistEntry', 'updateIpAllowlistEntry', 'deleteIpAllowlistEntry'],
      of(before, after) {
        const { added, removed, changed } = differenceOf(before.entries, after.entries)
        return [
          ...(added.length > 0 ? (['createIpAllowlistEntry'] as const) : []),
          ...(changed.length > 0 ? (['updateIpAllowlistEntry'] as const) : []),
          ...(removed.length > 0 ? (['deleteIpAllowlistEntry'] as const) : []),
        ]
      },
    },
  },
})
