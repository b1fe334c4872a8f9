import {
  type PipelinePhase,
  type ReleasePipeline,
  sameButForNames,
} from '../../models/release-pipelines/release-pipeline.ts'
import { releases, releasesIn } from '../../models/releases/release.ts'
import type { Context } from '../../operation/context.ts'
import { validateReferences } from '../../operation/references.ts'
import type { Fault } from '../../rules/json-guard.ts'
import type { Writer } from '../../storage/writer.ts'
import { addedReferences } from './phase-references.ts'
import type { PipelineKeys } from './release-pipeline-wire.ts'

type WantedPhase = Omit<PipelinePhase, 'id'> & { readonly id?: string }
type WantedPipeline = Omit<ReleasePipeline, 'phases'> & { readonly phases: readonly WantedPhase[] }

/**
 * Completes what a caller makes of a pipeline: new phases get an id.
 *
 * @throws ApiError `invalid_request` for ids and keys that nothing has, and for another course of phases than the one
 *   that releases are in.
 */
export async function changePipeline(
  context: Context<Writer, 'invalid_request'>,
  keys: PipelineKeys,
  before: ReleasePipeline,
  wanted: WantedPipeline,
): Promise<ReleasePipeline> {
  const { tx, fail } = context
  const host = context.useHost()
  const phases = wanted.phases.map((phase) => ({ ...phase, id: phase.id ?? host.newId() }))
  const rebuilt = !sameButForNames(before.phases, phases)
  const [unknown, held] = await Promise.all([
    validateReferences(tx, addedReferences(keys.projectKey, before.phases, phases)),
    rebuilt && before.holds > 0 ? heldFaults(tx, keys, before) : [],
  ])
  const errors = [...idFaults(before.phases, wanted.phases), ...unknown, ...held]
  if (errors.length > 0) fail('invalid_request', { errors })
  return { ...wanted, phases }
}

function idFaults(before: readonly PipelinePhase[], phases: readonly WantedPhase[]): Fault[] {
  const known = new Set(before.map(({ id }) => id))
  return phases.flatMap(({ id }, at) => {
    if (id === undefined || known.delete(id)) return []
    return [{ attribute: `phases.${at}.id`, reason: 'must be that of a phase, once, and be left out of a new one' }]
  })
}

/**
 * What a release is in stays as it is. Asked where there ever was one; that none begins meanwhile is seen by the
 * pipeline's version.
 */
async function heldFaults(tx: Writer, keys: PipelineKeys, { id }: ReleasePipeline): Promise<Fault[]> {
  const { total } = await tx.listRows(releases, keys, { where: releasesIn(id), limit: 0 })
  return total === 0 ? [] : [{ attribute: 'phases', reason: 'must keep all but their names: releases are in them' }]
}
