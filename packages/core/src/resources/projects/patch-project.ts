import * as v from 'valibot'
import { type Project, projects } from '../../models/projects/project.ts'
import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { type JsonPatch, patchBody } from '../../operation/body.ts'
import type { Context, ReadContext } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { actionsByPath } from '../../operation/patch-actions.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { expand } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import type { Writer } from '../../storage/writer.ts'
import { listEnvironmentsOf, serializeEnvironments } from '../environments/environments-response.ts'
import { projectResponse, projectSettings, projectSnippet, serializeProject } from './project-schema.ts'
import { patchedAvailability } from './snippet-alias.ts'

export const patchProject = operation({
  id: 'patchProject',
  undo: [
    undoOf(projects, {
      async update(context, { keys, current, wanted }) {
        if (wanted.defaultReleasePipelineKey !== undefined) await requireDefaultPipeline(context, current, wanted)
        context.tx.replace(projects, keys, current, wanted)
      },
      restores: ['releasePipelines'],
      counts: ['releasePipelines'],
    }),
  ],
  summary: 'Update a project',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}',
  query: v.object({ expand: expand('environments') }),
  body: patchBody({
    ...actionsByPath(
      ['/name', '/tags/**', '/defaultClientSideAvailability/**', '/defaultReleasePipelineKey'],
      projects,
    ),
    ...actionsByPath(['/includeInSnippetByDefault'], projects, () => projectSnippet.availability),
  }),
  success: { status: 200, body: projectResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: projects.changeActions,
    resource: 'proj/{projectKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, query, body }) {
    const before = (await context.tx.get(projects, params)) ?? context.fail('not_found')
    context.requireRevision(before.version)
    const patched = await patchProjectDocument(context, before, body)
    await requireDefaultPipeline(context, before, patched)
    const after = context.tx.replace(projects, params, before, patched)
    context.setRevision(after.version)
    if (!query.expand.includes('environments')) return serializeProject(context, after)
    const page = await listEnvironmentsOf(context, params)
    return serializeProject(context, after, await serializeEnvironments(context, after.key, page.items, page.total))
  },
})

/** Returns the project after a JSON Patch. */
async function patchProjectDocument(context: ReadContext, before: Project, patch: JsonPatch): Promise<Project> {
  const includeInSnippetByDefault = before.defaultClientSideAvailability.usingEnvironmentId
  const patched = await patchDocument({ ...before, includeInSnippetByDefault }, patch, projectSettings, {
    shown: () => serializeProject(context, before),
  })
  const { includeInSnippetByDefault: alias, defaultClientSideAvailability: availability } = patched
  return {
    ...patched,
    includeInSnippetByDefault: before.includeInSnippetByDefault,
    defaultClientSideAvailability: patchedAvailability(projectSnippet, patch, { alias, availability }),
  }
}

/** Requires that a new default is a pipeline of the project, and still is one at the commit. */
export async function requireDefaultPipeline(
  { tx, fail }: Context<Writer, 'invalid_request'>,
  before: Project,
  { defaultReleasePipelineKey: pipelineKey }: Project,
): Promise<void> {
  if (pipelineKey === before.defaultReleasePipelineKey) return
  const keys = { projectKey: before.key, pipelineKey: pipelineKey ?? '' }
  const pipeline = pipelineKey === undefined ? undefined : await tx.get(releasePipelines, keys)
  if (pipeline) return tx.expect(releasePipelines, keys, pipeline)
  const reason = 'must be the key of a release pipeline of the project'
  fail('invalid_request', { errors: [{ attribute: 'defaultReleasePipelineKey', reason }] })
}
