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
 * Completes a changed pipeline: new phases get an id.
 *
 * @throws ApiError `invalid_request` for unknown ids and keys, and for changes of phases that have releases.
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
    return [{ attribute: `phases.${at}.id`, reason: 'must be the id of a phase, used once, and be omitted for a new phase' }]
  })
}

/**
 * Rejects changes of phases that have releases. Only checked for pipelines that had releases; the version of the
 * pipeline protects against a release that starts concurrently.
 */
async function heldFaults(tx: Writer, keys: PipelineKeys, { id }: ReleasePipeline): Promise<Fault[]> {
  const { total } = await tx.listRows(releases, keys, { where: releasesIn(id), limit: 0 })
  return total === 0 ? [] : [{ attribute: 'phases', reason: 'must not change except for names, because they have releases' }]
}
