import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { operation } from '../../operation/operation.ts'
import { integer, list } from '../../operation/schema.ts'
import { attributeFilter } from './attribute-filter.ts'
import { CountsByKind, latestContexts } from './latest-contexts.ts'
import { redactedAttributesOf } from './redacted-attributes.ts'

/** Maximum number of names of each kind in a response. */
const maxNames = 100

const namesResponse = v.object({
  kind: v.string(),
  names: list(v.object({ name: v.string(), weight: v.number(), redacted: v.optional(v.boolean()) })),
})

export const getContextAttributeNames = operation({
  id: 'getContextAttributeNames',
  summary:
    'List the names of attributes of the 1,000 contexts that were seen last, each with the number of contexts that have it',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/context-attributes',
  query: v.object({
    filter: v.optional(attributeFilter('name'), ''),
    limit: v.optional(integer(1, maxNames), maxNames),
  }),
  success: { status: 200, body: v.object({ items: list(namesResponse) }) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle({ tx, fail }, { params, query }) {
    if (!(await tx.get(environments, params))) fail('not_found')
    const { kind, startsWith = '' } = query.filter
    const where = kind === undefined ? [] : ([{ op: 'equals', field: 'kinds', value: kind }] as const)
    const prefix = startsWith.toLowerCase()
    const counts = new CountsByKind<{ readonly name: string; readonly redacted: boolean }>()
    for (const { kind: ofKind, _meta: meta, ...attributes } of await latestContexts(tx, params, where)) {
      for (const name of Object.keys(attributes)) counts.add(ofKind, `sent ${name}`, { name, redacted: false })
      for (const name of redactedAttributesOf(meta)) counts.add(ofKind, `redacted ${name}`, { name, redacted: true })
    }
    return {
      items: counts.list(Number.MAX_SAFE_INTEGER).map(({ kind: ofKind, counted }) => ({
        kind: ofKind,
        names: counted
          .filter(({ item }) => item.name.toLowerCase().startsWith(prefix))
          .slice(0, query.limit)
          .map(({ item, weight }) => ({
            name: item.name,
            weight,
            ...(item.redacted ? { redacted: true } : {}),
          })),
      })),
    }
  },
})
