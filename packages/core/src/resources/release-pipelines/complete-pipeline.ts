import {
  equalExceptNames,
  type PipelinePhase,
  type ReleasePipeline,
} from '../../models/release-pipelines/release-pipeline.ts'
import { releases, releasesIn } from '../../models/releases/release.ts'
import type { Context } from '../../operation/context.ts'
import { validateReferences } from '../../operation/references.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import type { ValidationError } from '../../rules/json-guard.ts'
import type { Writer } from '../../storage/writer.ts'
import { addedReferences } from './phase-references.ts'
import type { PipelineKeys } from './release-pipeline-schema.ts'

type PhaseInput = Omit<PipelinePhase, 'id'> & { readonly id?: string }
type PipelineInput = Omit<ReleasePipeline, 'phases'> & { readonly phases: readonly PhaseInput[] }

/** A pipeline as it is stored, and its keys. */
export interface StoredPipeline {
  readonly keys: PipelineKeys
  readonly before: ReleasePipeline
}

/**
 * Completes a changed pipeline: new phases get an id.
 *
 * @throws ApiError `invalid_request` for unknown ids and keys, and for changes of phases that have releases.
 */
export async function completePipeline(
  context: Context<Writer, 'invalid_request'>,
  { keys, before }: StoredPipeline,
  input: PipelineInput,
): Promise<ReleasePipeline> {
  const { tx, fail } = context
  const host = context.useHost()
  const phases = input.phases.map((phase) => ({ ...phase, id: phase.id ?? host.newId() }))
  const changesPhases = !equalExceptNames(before.phases, phases)
  const [referenceErrors, releaseErrors] = await Promise.all([
    validateReferences(tx, addedReferences(keys.projectKey, before.phases, phases)),
    changesPhases && before.holds > 0 ? validateNoReleases(tx, keys, before) : [],
  ])
  const idErrors = validatePhaseIds(before.phases, input.phases)
  const errors = [
    ...(idErrors.length > 0 || hasEqualNames(before, input) ? idErrors : validatePhaseNames(input.phases)),
    ...referenceErrors,
    ...releaseErrors,
  ]
  if (errors.length > 0) fail('invalid_request', { errors })
  return { ...input, phases }
}

type NamedPhases = readonly Pick<PipelinePhase, 'name'>[]

/**
 * Returns true if the names of the phases are the same before and after a change. Earlier versions allowed phases of
 * the same name; other properties of such a pipeline can still be changed.
 */
function hasEqualNames(before: { readonly phases: NamedPhases }, after: { readonly phases: NamedPhases }): boolean {
  return jsonEqual(
    before.phases.map(({ name }) => name),
    after.phases.map(({ name }) => name),
  )
}

/** Users refer to the phases of a pipeline by name. */
export function validatePhaseNames(phases: NamedPhases): ValidationError[] {
  return phases.flatMap(({ name }, index) =>
    phases.slice(0, index).some((other) => other.name === name)
      ? [{ attribute: `phases.${index}.name`, reason: 'must not be the name of an earlier phase' }]
      : [],
  )
}

function validatePhaseIds(before: readonly PipelinePhase[], phases: readonly PhaseInput[]): ValidationError[] {
  const knownIds = new Set(before.map(({ id }) => id))
  return phases.flatMap(({ id }, index) => {
    if (id === undefined || knownIds.delete(id)) return []
    return [
      {
        attribute: `phases.${index}.id`,
        reason: 'must be the id of an existing phase and must not be repeated; a new phase has no id',
      },
    ]
  })
}

/**
 * Rejects changes of phases that have releases. Only checked for pipelines that had releases; the version of the
 * pipeline protects against a release that starts concurrently.
 */
async function validateNoReleases(tx: Writer, keys: PipelineKeys, { id }: ReleasePipeline): Promise<ValidationError[]> {
  const { total } = await tx.listRows(releases, keys, { where: releasesIn(id), limit: 0 })
  return total === 0
    ? []
    : [{ attribute: 'phases', reason: 'must not change except for names, because they have releases' }]
}
