import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { links, list } from '../../operation/schema.ts'
import { segmentMembership } from '../../rules/evaluation/is-in-segment.ts'
import { evaluatedContext } from '../targeting/evaluated-context.ts'
import { readContextEnvironment } from './context-environment.ts'

const membershipResponse = v.object({
  _links: links(),
  key: v.string(),
  name: v.string(),
  description: v.string(),
  unbounded: v.boolean(),
  external: v.string(),
  isMember: v.boolean(),
  isIndividuallyTargeted: v.boolean(),
  isRuleTargeted: v.boolean(),
})

export const getContextInstanceSegmentsMembershipByEnv = operation({
  id: 'getContextInstanceSegmentsMembershipByEnv',
  summary: 'List the segments of an environment, each with the membership of a context and the reason for it',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/segments/evaluate',
  body: jsonBody(evaluatedContext()),
  dry: true,
  success: { status: 200, body: v.object({ items: list(membershipResponse), _links: links() }) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, body }) {
    const { documents, content, bigSegments } = await readContextEnvironment(context, params, body)
    const parent = path`/api/v2/segments/${params.projectKey}/${params.environmentKey}`
    return {
      items: documents.segments.map(({ key, name, description = '', unbounded, _external: external = '' }) => {
        const reason = segmentMembership(content.ruleset, key, body, { bigSegments })
        return {
          _links: selfAndParent(parent + path`/${key}`, parent),
          key,
          name,
          description,
          unbounded,
          external,
          isMember: reason !== undefined,
          isIndividuallyTargeted: reason === 'listed',
          isRuleTargeted: reason === 'rule',
        }
      }),
      _links: { self: linkTo(context.url) },
    }
  },
})
