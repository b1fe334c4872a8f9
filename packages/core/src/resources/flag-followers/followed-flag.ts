import { type Environment, environments } from '../../models/environments/environment.ts'
import { type FlagFollowers, flagFollowers, noFollowers } from '../../models/flag-followers/flag-followers.ts'
import { type Flag, flags } from '../../models/flags/flag.ts'
import type { ConfigKeys } from '../../models/flags/flag-config.ts'
import { readMembers } from '../../models/members/read-members.ts'
import type { Context, WriteContext } from '../../operation/context.ts'
import type { Fail } from '../../operation/errors.ts'
import type { UndoRules } from '../../operation/undo/undo-rules.ts'
import type { Replacement } from '../../storage/collection.ts'
import type { Reader } from '../../storage/reader.ts'

/** Maximum number of followers of a flag in an environment. */
export const maxFollowers = 100

/** A flag in an environment, with its followers. */
interface FollowedFlag {
  readonly flag: Flag
  readonly environment: Environment
  /** Followers with the version 0 are not stored: no member has followed the flag. */
  readonly followers: FlagFollowers
}

/**
 * Reads the followers of a flag in an environment.
 *
 * @throws ApiError `not_found` when the flag or the environment does not exist.
 */
export async function readFollowedFlag(
  { tx, fail }: Pick<Context<Reader, 'not_found'>, 'tx' | 'fail'>,
  keys: ConfigKeys,
): Promise<FollowedFlag> {
  const [flag, environment, followers = noFollowers] = await Promise.all([
    tx.get(flags, keys),
    tx.get(environments, keys),
    tx.get(flagFollowers, keys),
  ])
  return flag && environment ? { flag, environment, followers } : fail('not_found')
}

/**
 * Reads the followers that a call changes. The commit fails when the flag or the environment is changed or deleted
 * concurrently: otherwise followers of a deleted flag would become followers of a later flag with the same key.
 *
 * @throws ApiError `not_found` when the flag or the environment does not exist.
 */
export async function changeableFollowers(
  context: Pick<WriteContext, 'tx'> & { readonly fail: Fail<'not_found'> },
  keys: ConfigKeys,
): Promise<FlagFollowers> {
  const { flag, environment, followers } = await readFollowedFlag(context, keys)
  context.tx.expect(flags, keys, flag)
  context.tx.expect(environments, keys, environment)
  return followers
}

/**
 * Fails unless the caller may decide whether a member follows a flag: every member decides for themselves, and a caller
 * with `manageFlagFollowers` decides for all members.
 */
export async function requireFollowerRight(context: WriteContext, keys: ConfigKeys, memberId: string): Promise<void> {
  if (context.caller.memberId !== memberId) await context.demand('manageFlagFollowers', flagFollowers, keys)
}

/**
 * Writes changed followers. Callers need a right to do this, unless they only start or stop following the flag
 * themselves.
 */
export function saveFollowers(
  { tx, caller }: Pick<WriteContext, 'tx' | 'caller'>,
  { keys, before, after }: Replacement<FlagFollowers, ConfigKeys>,
): void {
  const ids = new Set([...Object.keys(before.since), ...Object.keys(after.since)])
  const others = [...ids].filter((id) => before.since[id] !== after.since[id] && id !== caller.memberId)
  tx.replace(flagFollowers, keys, before, after, { concernsCaller: others.length === 0 })
}

/** Undoes changes of followers. Members who were deleted since do not follow again. */
export const undoFollowers: UndoRules<FlagFollowers, typeof flagFollowers.template> = {
  async update(context, { keys, current, wanted }) {
    await changeableFollowers(context, keys)
    saveFollowers(context, { keys, before: current, after: await withoutDeletedMembers(context, wanted) })
  },
  async implied() {
    return noFollowers
  },
  async inserted({ tx }, keys, followers) {
    tx.follow(flagFollowers, keys, followers, await withoutDeletedMembers({ tx }, followers))
  },
}

async function withoutDeletedMembers(
  { tx }: Pick<WriteContext, 'tx'>,
  followers: FlagFollowers,
): Promise<FlagFollowers> {
  const existing = await readMembers(tx, Object.keys(followers.since))
  const since = Object.fromEntries(Object.entries(followers.since).filter(([id]) => existing.has(id)))
  return { ...followers, since }
}
