import { type Flag, flags } from '../../models/flags/flag.ts'
import { projects } from '../../models/projects/project.ts'
import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { activePhase, type Release, releases } from '../../models/releases/release.ts'
import { jsonBody } from '../../operation/body.ts'
import type { ValidationError } from '../../operation/errors.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { newRelease } from './new-release.ts'
import { releaseRequest, releaseResponse, serializeRelease } from './release-schema.ts'
import { restoredReleaseProperties } from './restored-release-properties.ts'

export const putRelease = operation({
  id: 'putRelease',
  undo: [undoOf(releases, { create: 'addReleasePipeline', restores: restoredReleaseProperties })],
  summary: 'Create or replace the release of a boolean feature flag in a release pipeline',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/release',
  beta: 'tagged',
  body: jsonBody(releaseRequest),
  success: { status: 200, body: releaseResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: ['addReleasePipeline', 'replaceReleasePipeline'],
    resource: 'proj/{projectKey}:env/*:flag/{flagKey}',
    shows: viewsProject,
  },
  async handle(context, { params, body }) {
    const { tx, fail } = context
    const pipelineKey = body.releasePipelineKey ?? (await tx.get(projects, params))?.defaultReleasePipelineKey ?? ''
    const pipelineKeys = { ...params, pipelineKey }
    const [storedFlag, before, pipeline] = await Promise.all([
      tx.get(flags, params),
      tx.get(releases, params),
      tx.get(releasePipelines, pipelineKeys),
    ])
    const flag = storedFlag ?? fail('not_found')
    if (before) context.requireRevision(before.version)
    await context.demand(before ? 'replaceReleasePipeline' : 'addReleasePipeline', flags, params, flag)
    const variationId = body.releaseVariationId ?? flag.variations.find(({ value }) => value === true)?._id
    const errors = [...validateFlag(flag, variationId), ...(pipeline ? [] : [unknownPipelineError])]
    if (errors.length > 0 || !pipeline) return fail('invalid_request', { errors })
    const requestedRelease = newRelease(context, flag, pipeline, variationId as string)
    if (before && isRunning(before, requestedRelease)) {
      context.setRevision(before.version)
      return serializeRelease(context, before, params)
    }
    tx.expect(flags, params, flag)
    const release = before
      ? tx.replace(releases, params, before, { ...requestedRelease, version: before.version })
      : tx.insert(releases, params, requestedRelease, () =>
          fail('optimistic_locking_error', { message: `${flag.key} is in a release pipeline already` }),
        )
    // A concurrent deletion or change of the pipeline then conflicts with the start of this release.
    tx.follow(releasePipelines, pipelineKeys, pipeline, { ...pipeline, holds: pipeline.holds + 1 })
    context.setRevision(release.version)
    return serializeRelease(context, release, params)
  },
})

const unknownPipelineError: ValidationError = {
  attribute: 'releasePipelineKey',
  reason: 'must be the key of a release pipeline of the project',
}

/**
 * Returns the errors of a flag that is to be released. The flag must be boolean: with more variations, it is unclear
 * which variation the contexts outside of a phase should get.
 */
function validateFlag({ kind, archived, variations }: Flag, variationId: string | undefined): ValidationError[] {
  const hasVariation = variations.some(({ _id }) => _id === variationId)
  return [
    ...(kind === 'boolean' ? [] : [{ attribute: 'flagKey', reason: 'must be the key of a boolean flag' }]),
    ...(archived ? [{ attribute: 'flagKey', reason: 'must not be the key of an archived flag' }] : []),
    ...(hasVariation
      ? []
      : [{ attribute: 'releaseVariationId', reason: 'must be the _id of a variation of the flag' }]),
  ]
}

function isRunning(before: Release, release: Omit<Release, 'version'>): boolean {
  const isSamePipeline = before.pipelineId === release.pipelineId && before.variationId === release.variationId
  return isSamePipeline && activePhase(before) !== undefined
}
