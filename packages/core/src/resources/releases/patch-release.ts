import * as v from 'valibot'
import { type Release, releases } from '../../models/releases/release.ts'
import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { list } from '../../operation/schema.ts'
import { completePhase, type PhaseStatus } from '../../rules/release/progression.ts'
import { showsProject } from '../projects/project-wire.ts'
import { withStatuses } from './advance-release.ts'
import { presentRelease, releaseWire } from './release-wire.ts'
import { saveRelease } from './save-release.ts'

const patchable = v.object({ phases: list(v.object({ complete: v.boolean() })) })

export const patchRelease = operation({
  id: 'patchRelease',
  summary: 'Complete phases of a release in a legacy pipeline',
  method: 'PATCH',
  path: '/api/v2/flags/{projectKey}/{flagKey}/release',
  beta: 'tagged',
  body: patchBody(['/phases/*/complete']),
  success: { status: 200, body: releaseWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: releases.changeActions, resource: releases.template, shows: showsProject },
  async handle(context, { params, body }) {
    const { tx, fail } = context
    const before = (await tx.get(releases, params)) ?? fail('not_found')
    context.requireRevision(before.version)
    const shown = {
      version: before.version,
      phases: before.phases.map(({ status }) => ({ complete: isComplete(status) })),
    }
    const { phases } = patchDocument(shown, body, patchable)
    const refuse = (at: number, reason: string) =>
      fail('invalid_request', { errors: [{ attribute: `phases.${at}.complete`, reason }] })
    const statuses = completed(before, phases, refuse)
    const after = await saveRelease(
      context,
      params,
      before,
      withStatuses(before, statuses, { now: context.readClock(), caller: context.caller }),
      body.comment,
    )
    context.revision(after.version)
    return presentRelease(context, after, params)
  },
})

function completed(
  { isLegacy, phases }: Release,
  wanted: readonly { readonly complete: boolean }[],
  refuse: (at: number, reason: string) => never,
): readonly PhaseStatus[] {
  let statuses: readonly PhaseStatus[] = phases.map(({ status }) => status)
  for (const [at, { complete }] of wanted.entries()) {
    const before = phases[at]?.status
    if (complete === (before !== undefined && isComplete(before))) continue
    if (!isLegacy) refuse(at, 'must be patched only in a legacy pipeline; set the status of the phase instead')
    if (!complete) refuse(at, 'must stay true, because a completed phase cannot be reopened')
    const step = completePhase(statuses, at)
    statuses = step.ok ? step.statuses : refuse(at, step.reason)
  }
  return statuses
}

function isComplete(status: PhaseStatus): boolean {
  return status === 'Complete'
}
