import * as v from 'valibot'
import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { releaseStates, releases, releasesIn } from '../../models/releases/release.ts'
import { anyText, anyWord, termFilter } from '../../operation/filters/term-conditions.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { page } from '../../operation/schema.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { progressionsResponse, serializeProgression } from './progression-response.ts'

/** Maximum number of active releases that are counted by phase. Every flag can have one. */
const maxCounted = 10_000

const filter = termFilter({ status: anyWord('state', releaseStates), activePhaseId: anyText('activePhaseId') })

export const listReleases = operation({
  id: 'listReleases',
  summary: 'List the releases in a pipeline, newest first, with their number in each phase',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}/releases',
  beta: 'tagged',
  query: v.object({ ...page(), filter }),
  success: { status: 200, body: progressionsResponse },
  errors: ['invalid_request', 'not_found'],
  access: viewsProject,
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const pipeline = (await tx.get(releasePipelines, params)) ?? fail('not_found')
    const { limit, offset } = query
    const order = [{ field: 'createdAt', type: 'number', descending: true }] as const
    const [releasePage, active, completed] = await Promise.all([
      tx.listRows(releases, params, { where: [...releasesIn(pipeline.id), ...query.filter], order, limit, offset }),
      tx.listRows(releases, params, { where: releasesIn(pipeline.id, 'active'), limit: maxCounted }),
      tx.listRows(releases, params, { where: releasesIn(pipeline.id, 'completed'), limit: 0 }),
    ])
    return {
      activeCount: active.total,
      completedCount: completed.total,
      items: releasePage.items.map((row) => serializeProgression(context.format, params.projectKey, row)),
      phases: pipeline.phases.map(({ id, name }) => ({
        _id: id,
        _name: name,
        releaseCount: active.items.filter(({ fields }) => fields.activePhaseId === id).length,
      })),
      totalCount: releasePage.total,
      _links: pageLinks(context.url, query, releasePage.total),
    }
  },
})
