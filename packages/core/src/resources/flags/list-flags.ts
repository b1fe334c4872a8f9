import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import type { Context } from '../../operation/context.ts'
import { filter } from '../../operation/filters/filter.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { booleanParameter, collection, commaList, page, sorts } from '../../operation/schema.ts'
import type { Condition } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import { isDiffering } from './differing-flags.ts'
import { archived, notArchived } from './flag-conditions.ts'
import { flagResponse, serializeFlags } from './flag-schema.ts'
import { loadEnvironments, withConfigs } from './flag-state.ts'
import { lookUpAllButActivity, readFlagFilter } from './looked-up-filters.ts'
import { flagsByActivity, flagsWithActivity } from './statuses/flags-by-activity.ts'
import { flagsByTargetingDate } from './targeting-dates/flags-by-targeting-date.ts'

const targetingDate = 'targetingModifiedDate'

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
      tags: 'texts',
      // Not a field of a flag: `flagsByTargetingDate` handles it.
      targetingModifiedDate: { field: targetingDate, type: 'number' },
    },
    'name',
  ),
  filter: v.optional(filter(readFlagFilter), ''),
  tag: v.optional(v.string()),
  archived: v.optional(booleanParameter()),
  env: v.optional(commaList(), []),
  compare: v.optional(booleanParameter(), false),
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
  success: {
    status: 200,
    body: v.object({
      ...collection(flagResponse).entries,
      /** The same as `totalCount`. Only with `compare`. */
      totalCountWithDifferences: v.optional(v.number()),
    }),
  },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx } = context
    const { projectKey } = params
    if (!(await tx.get(projects, params))) context.fail('not_found')
    const { limit, offset } = query
    const environmentKey = sortedEnvironment(context, query)
    const allEnvironments = query.env.length > 0 || query.compare ? await loadEnvironments(tx, projectKey) : []
    const environments = allEnvironments.filter(({ key }) => query.env.includes(key))
    const filtered = await lookUpAllButActivity(context, projectKey, conditions(query))
    const compared = query.env.length === 0 ? allEnvironments : environments
    const differing = query.compare ? [await isDiffering(context, projectKey, compared)] : []
    const where = [...filtered.conditions, ...differing]
    const flagPage =
      environmentKey === undefined
        ? await flagsByActivity(context, filtered.environments, { where, order: query.sort, limit, offset })
        : await flagsByTargetingDate(
            tx,
            { projectKey, environmentKey },
            { where: await flagsWithActivity(context, filtered.environments, where), descending: isDescending(query) },
            query,
          )
    const states = await withConfigs(tx, projectKey, { flagList: flagPage.items, environments }, context)
    const view = query.env.length === 0 ? 'none' : query.summary ? 'short' : 'full'
    return {
      items: await serializeFlags(context, projectKey, states, { environments: view }),
      totalCount: flagPage.total,
      ...(query.compare ? { totalCountWithDifferences: flagPage.total } : {}),
      _links: pageLinks(context.url, query, flagPage.total),
    }
  },
})

type ListQuery = v.InferOutput<typeof listQuery>

function conditions({ filter, tag, archived: onlyArchived }: ListQuery): Condition[] {
  const ofTag: Condition[] = tag === undefined ? [...filter] : [...filter, { op: 'equals', field: 'tags', value: tag }]
  if (onlyArchived !== true) return ofTag
  // The parameter replaces the condition that omits archived flags.
  return [...ofTag.filter((condition) => condition !== notArchived), archived]
}

/**
 * Returns the key of the environment whose changes the list is sorted by: the first of `env`. Undefined for other
 * orders. Fails with `invalid_request` when this order has no environment, or is one of several orders.
 */
function sortedEnvironment(
  { fail }: Pick<Context<Reader, 'invalid_request'>, 'fail'>,
  { sort, env: [environmentKey] }: ListQuery,
): string | undefined {
  if (!sort.some(({ field }) => field === targetingDate)) return undefined
  const refuse = (reason: string) => fail('invalid_request', { errors: [{ attribute: 'sort', reason }] })
  if (sort.length > 1) return refuse(`must not combine ${targetingDate} with another order`)
  return environmentKey ?? refuse(`must be given with env when it is ${targetingDate}`)
}

const isDescending = ({ sort: [order] }: ListQuery) => order?.descending === true
