import { type Flag, flags } from '../../models/flags/flag.ts'
import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { activePhase, type Release, releases } from '../../models/releases/release.ts'
import { jsonBody } from '../../operation/body.ts'
import type { Fault } from '../../operation/errors.ts'
import { operation } from '../../operation/operation.ts'
import { showsProject } from '../projects/project-wire.ts'
import { newRelease } from './new-release.ts'
import { presentRelease, releaseRequest, releaseWire } from './release-wire.ts'

export const putRelease = operation({
  id: 'putRelease',
  summary: 'Create or replace the release of a boolean feature flag in a release pipeline',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/release',
  beta: 'tagged',
  body: jsonBody(releaseRequest),
  success: { status: 200, body: releaseWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: ['addReleasePipeline', 'replaceReleasePipeline'],
    resource: 'proj/{projectKey}:env/*:flag/{flagKey}',
    shows: showsProject,
  },
  async handle(context, { params, body }) {
    const { tx, fail } = context
    const place = { ...params, pipelineKey: body.releasePipelineKey }
    const [found, before, pipeline] = await Promise.all([
      tx.get(flags, params),
      tx.get(releases, params),
      tx.get(releasePipelines, place),
    ])
    const flag = found ?? fail('not_found')
    if (before) context.requireRevision(before.version)
    await context.demand(before ? 'replaceReleasePipeline' : 'addReleasePipeline', flags, params, flag)
    const variationId = body.releaseVariationId ?? flag.variations.find(({ value }) => value === true)?._id
    const errors = [...flagFaults(flag, variationId), ...(pipeline ? [] : [noPipeline])]
    if (errors.length > 0 || !pipeline) return fail('invalid_request', { errors })
    const wanted = newRelease(context, flag, pipeline, variationId as string)
    if (before && isUnderWay(before, wanted)) {
      context.revision(before.version)
      return presentRelease(context, before, params)
    }
    tx.expect(flags, params, flag)
    const release = before
      ? tx.replace(releases, params, before, { ...wanted, version: before.version })
      : tx.insert(releases, params, wanted, () =>
          fail('optimistic_locking_error', { message: `${flag.key} is in a release pipeline already` }),
        )
    // A concurrent deletion or change of the pipeline then conflicts with the start of this release.
    tx.follow(releasePipelines, place, pipeline, { ...pipeline, holds: pipeline.holds + 1 })
    context.revision(release.version)
    return presentRelease(context, release, params)
  },
})

const noPipeline: Fault = {
  attribute: 'releasePipelineKey',
  reason: 'must be the key of a release pipeline of the project',
}

/** Only boolean flags, because with more variations it is unclear what the contexts outside of a phase should get. */
function flagFaults({ kind, archived, variations }: Flag, variationId: string | undefined): Fault[] {
  const known = variations.some(({ _id }) => _id === variationId)
  return [
    ...(kind === 'boolean' ? [] : [{ attribute: 'flagKey', reason: 'must be the key of a boolean flag' }]),
    ...(archived ? [{ attribute: 'flagKey', reason: 'must not be the key of an archived flag' }] : []),
    ...(known ? [] : [{ attribute: 'releaseVariationId', reason: 'must be the _id of a variation of the flag' }]),
  ]
}

function isUnderWay(before: Release, wanted: Omit<Release, 'version'>): boolean {
  const same = before.pipelineId === wanted.pipelineId && before.variationId === wanted.variationId
  return same && activePhase(before) !== undefined
}
