import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { operation } from '../../operation/operation.ts'
import { integer, list } from '../../operation/schema.ts'
import { canonicalJson } from '../../rules/canonical-json.ts'
import { attributeFilter } from './attribute-filter.ts'
import { CountsByKind, latestContexts } from './latest-contexts.ts'

/** Maximum number of values of each kind in a response. */
const maxValues = 100

const valuesResponse = v.object({
  kind: v.string(),
  values: list(v.object({ name: v.unknown(), weight: v.number() })),
})

export const getContextAttributeValues = operation({
  id: 'getContextAttributeValues',
  summary:
    'List the values of an attribute of the 1,000 contexts that were seen last, each with the number of contexts that have it',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/context-attributes/{attributeName}',
  freeParams: ['attributeName'],
  query: v.object({
    filter: v.optional(attributeFilter('value'), ''),
    limit: v.optional(integer(1, maxValues), maxValues),
  }),
  success: { status: 200, body: v.object({ items: list(valuesResponse) }) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle({ tx, fail }, { params, query }) {
    if (!(await tx.get(environments, params))) fail('not_found')
    const { kind, startsWith = '' } = query.filter
    const where = kind === undefined ? [] : ([{ op: 'equals', field: 'kinds', value: kind }] as const)
    const prefix = startsWith.toLowerCase()
    const counts = new CountsByKind<unknown>()
    for (const context of await latestContexts(tx, params, where)) {
      if (!Object.hasOwn(context, params.attributeName)) continue
      const value = context[params.attributeName]
      // Each element of a list is a value by which rules can match.
      for (const each of Array.isArray(value) ? value : [value]) {
        if (String(each).toLowerCase().startsWith(prefix)) counts.add(context.kind, canonicalJson(each), each)
      }
    }
    return {
      items: counts.list(query.limit).map(({ kind: ofKind, counted }) => ({
        kind: ofKind,
        values: counted.map(({ item, weight }) => ({ name: item, weight })),
      })),
    }
  },
})
