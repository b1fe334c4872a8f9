import * as v from 'valibot'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { automatedReleaseResponse, serializeAutomatedRelease } from './automated-release-response.ts'
import { loadReleases } from './load-releases.ts'

export const listAutomatedReleases = operation({
  id: 'listAutomatedReleases',
  summary:
    'List the automated releases of a flag in an environment, the newest first; of those that ended, the last 20',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/automated-releases',
  query: v.object(page()),
  success: { status: 200, body: collection(automatedReleaseResponse) },
  errors: ['invalid_request', 'not_found'],
  access: viewsProject,
  async handle(context, { params, query }) {
    const releases = (await loadReleases(context.tx, params)) ?? context.fail('not_found')
    const { limit, offset } = query
    return {
      items: releases
        .toReversed()
        .slice(offset, offset + limit)
        .map((release) => serializeAutomatedRelease(context, release, params)),
      totalCount: releases.length,
      _links: pageLinks(context.url, query, releases.length),
    }
  },
})
