import * as v from 'valibot'
import { contextKinds, defaultUserKind } from '../../models/context-kinds/context-kind.ts'
import { projects } from '../../models/projects/project.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { compareCodePoints } from '../../storage/code-point-order.ts'
import { contextKindResponse, serializeContextKind } from './context-kind-schema.ts'

/**
 * This limit is greater than the maximum of a project: kinds are counted before a kind is created, so concurrent calls
 * can exceed the maximum by a few.
 */
const readLimit = 1000

export const listContextKinds = operation({
  id: 'listContextKinds',
  summary: 'List the context kinds of a project, by key',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/context-kinds',
  query: v.object(page()),
  success: { status: 200, body: collection(contextKindResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx, url } = context
    const [storedProject, stored] = await Promise.all([
      tx.get(projects, params),
      tx.list(contextKinds, params, { limit: readLimit }),
    ])
    const project = storedProject ?? context.fail('not_found')
    const kinds = [...stored.items]
    if (!kinds.some(({ key }) => key === userKind)) {
      kinds.push(defaultUserKind(project.createdAt))
      kinds.sort((a, b) => compareCodePoints(a.key, b.key))
    }
    const pageOfKinds = kinds.slice(query.offset, query.offset + query.limit)
    return {
      items: pageOfKinds.map((kind) => serializeContextKind(context, params.projectKey, kind)),
      totalCount: kinds.length,
      _links: pageLinks(url, query, kinds.length),
    }
  },
})
