import * as v from 'valibot'
import { type Release, releases } from '../../models/releases/release.ts'
import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { actionsByPath } from '../../operation/patch-actions.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { list } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { completePhase, type PhaseStatus } from '../../rules/release/progression.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { withStatuses } from './advance-release.ts'
import { releaseResponse, serializeRelease } from './release-schema.ts'
import { restoredReleaseProperties } from './restored-release-properties.ts'
import { saveRelease } from './save-release.ts'
import { isServedLater } from './serve-audience.ts'

const patchable = v.object({ phases: list(v.object({ complete: v.boolean() })) })

export const patchRelease = operation({
  id: 'patchRelease',
  undo: [undoOf(releases, { restores: restoredReleaseProperties })],
  summary: 'Complete phases of a release in a legacy pipeline',
  method: 'PATCH',
  path: '/api/v2/flags/{projectKey}/{flagKey}/release',
  beta: 'tagged',
  body: patchBody(actionsByPath(['/phases/*/complete'], releases)),
  success: { status: 200, body: releaseResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: { action: releases.changeActions, resource: releases.template, shows: viewsProject },
  async handle(context, { params, body }) {
    const { tx, fail } = context
    const before = (await tx.get(releases, params)) ?? fail('not_found')
    context.requireRevision(before.version)
    const patchableDocument = {
      version: before.version,
      phases: before.phases.map(({ status }) => ({ complete: isComplete(status) })),
    }
    const { phases } = await patchDocument(patchableDocument, body, patchable, {
      shown: () => serializeRelease(context, before, params),
    })
    const failAt = (index: number, reason: string) =>
      fail('invalid_request', { errors: [{ attribute: `phases.${index}.complete`, reason }] })
    const statuses = statusesAfter(before, phases, failAt)
    const patched = withStatuses(before, statuses, { now: context.readClock(), caller: context.caller })
    const after = await saveRelease(context, { keys: params, before, after: patched }, body.comment)
    context.setRevision(after.version)
    return serializeRelease(context, after, params)
  },
})

function statusesAfter(
  { isLegacy, phases }: Release,
  requested: readonly { readonly complete: boolean }[],
  failAt: (index: number, reason: string) => never,
): readonly PhaseStatus[] {
  let statuses: readonly PhaseStatus[] = phases.map(({ status }) => status)
  for (const [index, { complete }] of requested.entries()) {
    const before = phases[index]?.status
    if (complete === (before !== undefined && isComplete(before))) continue
    if (!isLegacy) failAt(index, 'must be patched only in a legacy pipeline; set the status of the phase instead')
    if (!complete) failAt(index, 'must stay true, because a completed phase cannot be reopened')
    if (phases[index]?.startedAt === undefined && phases[index]?.audiences.some(isServedLater)) {
      failAt(index, 'must stay false until its audiences are served: start the phase by its status')
    }
    const result = completePhase(statuses, index)
    statuses = result.ok ? result.statuses : failAt(index, result.reason)
  }
  return statuses
}

function isComplete(status: PhaseStatus): boolean {
  return status === 'Complete'
}
