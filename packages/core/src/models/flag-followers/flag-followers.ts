import { keySentences } from '../../rules/targeting/targeting-sentences.ts'
import { documents, type Versioned } from '../../storage/collection.ts'
import { flags } from '../flags/flag.ts'

/** The members who follow a flag in an environment. Messages about changes of the flag name them. */
export interface FlagFollowers extends Versioned {
  /**
   * Time since which a member follows, integer ms, UTC, by the id of the member. This is an object and not a list, so
   * that a change for one member can be undone without affecting the others.
   */
  readonly since: Readonly<Record<string, number>>
}

export const flagFollowers = documents<FlagFollowers>()({
  name: 'flag-followers',
  // The address of the flag, so that rights to the flag include its followers.
  address: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}',
  fields: ({ since }) => {
    const memberIds = Object.keys(since)
    return { memberIds, isFollowed: memberIds.length > 0 }
  },
  partOf: flags,
  shown: { since: (since) => ({ items: followerIds({ since }).map((_id) => ({ _id })) }) },
  sentences: {
    changed: {
      since(before, after, { it, nameOf }) {
        const names = (followers: FlagFollowers) => followerIds(followers).map((id) => nameOf('member', id))
        return keySentences({ before: names(before), after: names(after) }, 'followers', it)
      },
    },
  },
  changes: { since: 'manageFlagFollowers' },
})

/** The followers of a flag that no member has followed. They are not stored. */
export const noFollowers: FlagFollowers = { version: 0, since: {} }

/** Returns the ids of the members who follow a flag, in the order in which they began to follow. */
export function followerIds({ since }: Pick<FlagFollowers, 'since'>): readonly string[] {
  return Object.entries(since)
    .sort(([a, from], [b, other]) => from - other || (a < b ? -1 : 1))
    .map(([id]) => id)
}

/** Returns the followers without a member. */
export function withoutFollower(followers: FlagFollowers, memberId: string): FlagFollowers {
  const { [memberId]: _, ...since } = followers.since
  return { ...followers, since }
}
