import * as v from 'valibot'
import { flags } from '../../models/flags/flag.ts'
import { projects } from '../../models/projects/project.ts'
import { filter } from '../../operation/filters/filter.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { booleanParameter, collection, commaList, page, sorts } from '../../operation/schema.ts'
import type { Condition } from '../../storage/port.ts'
import { flagsInViews } from '../view-filters/in-views.ts'
import { archived, flagConditions, notArchived } from './flag-conditions.ts'
import { flagResponse, serializeFlags } from './flag-schema.ts'
import { loadEnvironments, withConfigs } from './flag-state.ts'
import { flagsWithFollowers, followerFields } from './follower-filters.ts'
import { flagsWithPending, pendingFields } from './pending-filters.ts'
import { flagsWithUsage, usageFields } from './usage-filters.ts'

const listQuery = v.object({
  ...page(),
  sort: sorts(
    {
      name: 'text',
      key: 'text',
      creationDate: { field: 'createdAt', type: 'number' },
      maintainerId: 'text',
      // Permanent flags come before temporary ones.
      type: { field: 'temporary', type: 'boolean' },
    },
    'name',
  ),
  /**
   * As for `flagConditions`, and with `releasingIn:a+b` and `scheduledIn:a+b`: flags with an automated release that has not
   * ended, or with a scheduled change, in any of these environments; and `followerId:a+b`: flags that one of these members
   * follows, in any environment or in one of `filterEnv:a+b`; and with the filters of `usageFields`.
   */
  filter: v.optional(
    filter((text) => flagConditions(text, { ...pendingFields, ...followerFields, ...usageFields })),
    '',
  ),
  tag: v.optional(v.string()),
  archived: v.optional(booleanParameter()),
  env: v.optional(commaList(), []),
  summary: v.optional(
    v.pipe(
      v.union([v.boolean(), v.string()]),
      v.transform((value) => value !== false && value !== '0' && value !== 'false'),
    ),
    true,
  ),
})

export const listFlags = operation({
  id: 'listFlags',
  summary: 'List the feature flags of a project, with the environments named by `env`',
  method: 'GET',
  path: '/api/v2/flags/{projectKey}',
  query: listQuery,
  success: { status: 200, body: collection(flagResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx } = context
    const { projectKey } = params
    if (!(await tx.get(projects, params))) context.fail('not_found')
    const { limit, offset } = query
    const visible = await flagsInViews(context, projectKey, conditions(query))
    const used = await flagsWithUsage(context, projectKey, visible)
    const followed = await flagsWithFollowers(context, projectKey, used)
    const where = await flagsWithPending(tx, projectKey, followed)
    const flagPage = await tx.list(flags, params, { where, order: query.sort, limit, offset })
    const allEnvironments = query.env.length === 0 ? [] : await loadEnvironments(tx, projectKey)
    const environments = allEnvironments.filter(({ key }) => query.env.includes(key))
    const states = await withConfigs(tx, projectKey, flagPage.items, environments, context)
    const view = query.env.length === 0 ? 'none' : query.summary ? 'short' : 'full'
    return {
      items: await serializeFlags(context, projectKey, states, { environments: view }),
      totalCount: flagPage.total,
      _links: pageLinks(context.url, query, flagPage.total),
    }
  },
})

type ListQuery = v.InferOutput<typeof listQuery>

function conditions({ filter, tag, archived: onlyArchived }: ListQuery): Condition[] {
  const ofTag: Condition[] = tag === undefined ? [...filter] : [...filter, { op: 'equals', field: 'tags', value: tag }]
  if (onlyArchived !== true) return ofTag
  // The parameter takes the place of the rule that archived flags are omitted.
  return [...ofTag.filter((condition) => condition !== notArchived), archived]
}
