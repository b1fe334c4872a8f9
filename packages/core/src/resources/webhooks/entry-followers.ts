import { type FlagFollowers, flagFollowers, followerIds } from '../../models/flag-followers/flag-followers.ts'
import type { ConfigKeys } from '../../models/flags/flag-config.ts'
import type { Member } from '../../models/members/member.ts'
import { readMembers } from '../../models/members/read-members.ts'
import type { Webhook } from '../../models/webhooks/webhook.ts'
import type { ChangeLogEntry, LoggedChange } from '../../operation/change-log/change-log-entry.ts'
import type { ReadContext } from '../../operation/context.ts'
import { parseAddress } from '../../rules/address.ts'
import type { Reader } from '../../storage/reader.ts'
import { selectionOf } from './webhook-audience.ts'

/**
 * Maximum number of followers that a message contains, and of flags in an environment whose followers are read for it.
 */
const maxFollowersOfEntry = 1_000

/** A change of a flag; the environment is `*` when the change concerns all environments. */
interface FlagChange extends ConfigKeys {
  readonly change: LoggedChange
}

/** The followers of a flag in an environment. */
interface FollowedFlag extends ConfigKeys {
  readonly memberIds: readonly string[]
}

/**
 * Returns the followers to name in the message about a change log entry: the members who follow a flag in an
 * environment in which the entry changes the flag. They are in the order of flags and environments. A message names
 * only followers for changes that the statements of its webhook select, so that it reveals no flag or environment that
 * the webhook may not receive.
 */
export async function followersOfEntry(
  context: Pick<ReadContext, 'tx' | 'selects'>,
  { statements }: Pick<Webhook, 'statements'>,
  entry: ChangeLogEntry,
): Promise<readonly Member[]> {
  const { tx } = context
  const changes = entry.changes.flatMap(flagChange)
  const followed = changes.length === 0 ? [] : [...(await storedFollowers(tx, changes)), ...removedFollowers(entry)]
  const selection = selectionOf({ statements })
  const memberIds = new Set<string>()
  for (const each of followed) {
    for (const { change } of changes.filter((other) => concerns(other, each))) {
      if (selection && !(await context.selects(selection, change))) continue
      for (const id of each.memberIds) memberIds.add(id)
      break
    }
  }
  return [...(await readMembers(tx, [...memberIds].slice(0, maxFollowersOfEntry))).values()]
}

/**
 * Returns the flag that a change is about, as a list with one element; an empty list for any other change. Following a
 * flag is not a change of the flag.
 */
function flagChange(change: LoggedChange): readonly FlagChange[] {
  if (change.kind === flagFollowers.name) return []
  const keys = flagKeys(change.resource)
  return keys ? [{ ...keys, change }] : []
}

/** Returns the keys in the address of a flag in an environment, or of a part of one. */
function flagKeys(address: string): ConfigKeys | undefined {
  const [project, environment, flag] = parseAddress(address) ?? []
  if (project?.kind !== 'proj' || environment?.kind !== 'env' || flag?.kind !== 'flag') return undefined
  return { projectKey: project.key, environmentKey: environment.key, flagKey: flag.key }
}

function concerns(change: FlagChange, { projectKey, environmentKey, flagKey }: ConfigKeys): boolean {
  const isEnvironment = change.environmentKey === '*' || change.environmentKey === environmentKey
  return isEnvironment && change.projectKey === projectKey && change.flagKey === flagKey
}

/** Reads the followers of the changed flags in all environments, with one list for each project. */
async function storedFollowers(tx: Reader, changes: readonly FlagChange[]): Promise<readonly FollowedFlag[]> {
  const followed: FollowedFlag[] = []
  for (const projectKey of new Set(changes.map((change) => change.projectKey))) {
    const flagKeysOfProject = changes.flatMap((change) => (change.projectKey === projectKey ? [change.flagKey] : []))
    const { address } = flagFollowers
    const scope = address.scopeAbove({ projectKey })
    const where = [
      { op: 'anyOf', field: 'key', values: [...new Set(flagKeysOfProject)] },
      { op: 'equals', field: 'isFollowed', value: true },
    ] as const
    const documents = await tx.listUnder(flagFollowers, scope, { where, limit: maxFollowersOfEntry })
    for (const document of documents) {
      const environmentKey = parseAddress(document.scope)?.at(-1)?.key ?? ''
      followed.push({ projectKey, environmentKey, flagKey: document.key, ...followersIn(document) })
    }
  }
  return followed
}

/** Returns the followers of flags that were deleted with the change. */
function removedFollowers({ removed = [] }: ChangeLogEntry): readonly FollowedFlag[] {
  return removed.flatMap(({ kind, document, body }) => {
    const keys = kind === flagFollowers.name ? flagKeys(document) : undefined
    return keys ? [{ ...keys, ...followersIn({ body }) }] : []
  })
}

function followersIn({ body }: { readonly body: unknown }): Pick<FollowedFlag, 'memberIds'> {
  return { memberIds: followerIds(body as FlagFollowers) }
}
