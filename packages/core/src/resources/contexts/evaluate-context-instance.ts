import * as v from 'valibot'
import { flags } from '../../models/flags/flag.ts'
import { jsonBody } from '../../operation/body.ts'
import { pageLinks, path, selfAndParent } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, links } from '../../operation/schema.ts'
import { evaluate } from '../../rules/evaluation/index.ts'
import { evaluatedContext } from '../targeting/evaluated-context.ts'
import { readContextEnvironment } from './context-environment.ts'
import { evaluationQuery } from './evaluation-query.ts'
import { reasonResponse, serializeReason } from './evaluation-reason-response.ts'

/** Maximum number of flags in a response when the request asks for all flags: higher than any number of flags. */
const noLimit = 2 ** 31 - 1

const evaluationResponse = v.object({
  _links: links(),
  key: v.string(),
  name: v.string(),
  _value: v.unknown(),
  reason: reasonResponse,
})

export const evaluateContextInstance = operation({
  id: 'evaluateContextInstance',
  summary: 'Evaluate the flags of an environment for a context; nothing is counted, and the context is not stored',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/flags/evaluate',
  query: evaluationQuery(),
  body: jsonBody(evaluatedContext()),
  dry: true,
  success: { status: 200, body: collection(evaluationResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query, body }) {
    const { projectKey, environmentKey } = params
    const { content, bigSegments } = await readContextEnvironment(context, params, body)
    const { offset, filter: where } = query
    const limit = query.limit === -1 ? noLimit : query.limit
    const unarchived = { op: 'not', condition: { op: 'equals', field: 'state', value: 'archived' } } as const
    const page = await context.tx.list(flags, params, {
      where: [unarchived, ...where],
      order: [query.sort, { field: 'key', type: 'text' }],
      limit,
      offset,
    })
    const project = path`/api/v2/flags/${projectKey}`
    return {
      items: page.items.map(({ key, name }) => {
        const { value, reason } = evaluate(content.ruleset, key, body, { bigSegments })
        return {
          _links: selfAndParent(project + path`/${key}?env=${environmentKey}`, project),
          key,
          name,
          _value: value === undefined ? null : value,
          reason: serializeReason(reason),
        }
      }),
      totalCount: page.total,
      _links: pageLinks(context.url, { limit, offset }, page.total),
    }
  },
})
