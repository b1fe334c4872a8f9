import * as v from 'valibot'
import { seenContexts } from '../../../models/contexts/seen-context.ts'
import { environments } from '../../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../../models/environments/environment-keys.ts'
import type { Context } from '../../../operation/context.ts'
import { type Link, linkTo, withQuery } from '../../../operation/link.ts'
import { links, list } from '../../../operation/schema.ts'
import type { Condition } from '../../../storage/port.ts'
import type { Reader } from '../../../storage/reader.ts'
import { selectionOf } from '../context-search.ts'
import { serializeUser, userRecordResponse } from './user-response.ts'

/** Response with a page of users. */
export const usersResponse = v.object({ items: list(userRecordResponse), totalCount: v.number(), _links: links() })

/** The users to find, and the page of them that a response contains. */
export interface UserSearch {
  readonly where: readonly Condition[]
  readonly limit: number
  /** Number of users before the first one of the page. */
  readonly offset: number
  /**
   * True to list the users that were seen first at the beginning. Default: the users that were seen last are listed
   * first.
   */
  readonly oldestFirst?: boolean
}

/**
 * Returns users that were seen in an environment.
 *
 * @throws ApiError `not_found` when the environment does not exist.
 */
export async function findUsers(
  context: Context<Reader, 'not_found'>,
  keys: EnvironmentKeys,
  { where, limit, offset, oldestFirst = false }: UserSearch,
): Promise<v.InferOutput<typeof usersResponse>> {
  const { tx, fail, url } = context
  const environment = (await tx.get(environments, keys)) ?? fail('not_found')
  const { order } = selectionOf({ sort: oldestFirst ? 'ts' : '-ts' })
  const isUser = { op: 'equals', field: 'kinds', value: 'user' } as const
  const { items, total } = await tx.list(seenContexts, keys, { where: [isUser, ...where], order, limit, offset })
  const _links: Record<string, Link> = { self: linkTo(url) }
  if (offset + limit < total) _links.next = linkTo(withQuery(url, { searchAfter: String(offset + limit) }))
  return {
    items: items.map((item) => serializeUser(context, item, { ...keys, environment })),
    totalCount: total,
    _links,
  }
}
