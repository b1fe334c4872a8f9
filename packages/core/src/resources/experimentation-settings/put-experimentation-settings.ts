import { type ContextKind, contextKinds } from '../../models/context-kinds/context-kind.ts'
import {
  defaultExperimentationSettings,
  experimentationSettings,
  type RandomizationUnit,
} from '../../models/experimentation-settings/experimentation-settings.ts'
import { projects } from '../../models/projects/project.ts'
import { jsonBody } from '../../operation/body.ts'
import type { ValidationError } from '../../operation/errors.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import type { Writer } from '../../storage/writer.ts'
import {
  experimentationSettingsRequest,
  experimentationSettingsResponse,
  serializeExperimentationSettings,
} from './experimentation-settings-schema.ts'
import { kindsByKey, storedKindsOf } from './kinds-of-units.ts'

export const putExperimentationSettings = operation({
  id: 'putExperimentationSettings',
  undo: [
    undoOf(experimentationSettings, {
      async implied({ tx }, keys) {
        const project = await tx.get(projects, keys)
        return project && defaultExperimentationSettings(project.createdAt)
      },
      async update(context, { keys, current, wanted }) {
        const { tx, fail } = context
        const units = wanted.randomizationUnits
        const [project, kinds] = await Promise.all([tx.get(projects, keys), storedKindsOf(tx, keys.projectKey, units)])
        const errors = validateUnits(units, kindsByKey(kinds, project?.createdAt ?? 0))
        if (errors.length > 0) fail('invalid_request', { errors })
        const after = tx.replace(experimentationSettings, keys, current, wanted)
        if (after !== current) lockKinds(tx, keys.projectKey, kinds, current)
      },
    }),
  ],
  summary: 'Replace the units by which the experiments of a project randomize',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/experimentation-settings',
  body: jsonBody(experimentationSettingsRequest),
  success: { status: 200, body: experimentationSettingsResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: experimentationSettings.changeActions,
    resource: experimentationSettings.policyTemplate,
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const { tx } = context
    const { projectKey } = params
    const [storedProject, stored, kinds] = await Promise.all([
      tx.get(projects, params),
      tx.get(experimentationSettings, params),
      storedKindsOf(tx, projectKey, body.randomizationUnits),
    ])
    const project = storedProject ?? context.fail('not_found')
    const before = stored ?? defaultExperimentationSettings(project.createdAt)
    context.requireRevision(before.version)
    const kindsOfUnits = kindsByKey(kinds, project.createdAt)
    const errors = validateUnits(body.randomizationUnits, kindsOfUnits)
    if (errors.length > 0) context.fail('invalid_request', { errors })
    tx.expect(projects, params, project)
    const randomizationUnits = body.randomizationUnits.map(
      (unit): RandomizationUnit => ({ randomizationUnit: unit.randomizationUnit, default: unit.default }),
    )
    const after = tx.replace(experimentationSettings, params, before, { ...before, randomizationUnits })
    lockKinds(tx, projectKey, kinds, before)
    context.setRevision(after.version)
    return serializeExperimentationSettings(context, project, after, kindsOfUnits)
  },
})

/** Records new references in the documents of the kinds, so that none of them is archived concurrently. */
function lockKinds(
  tx: Writer,
  projectKey: string,
  kinds: readonly ContextKind[],
  before: { readonly randomizationUnits: readonly RandomizationUnit[] },
): void {
  for (const kind of kinds) {
    if (before.randomizationUnits.some(({ randomizationUnit }) => randomizationUnit === kind.key)) continue
    tx.follow(contextKinds, { projectKey, key: kind.key }, kind, { ...kind, holds: kind.holds + 1 })
  }
}

/** Validates units (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d22-experimentation-settings). */
function validateUnits(
  units: readonly RandomizationUnit[],
  kinds: ReadonlyMap<string, ContextKind>,
): ValidationError[] {
  const attribute = 'randomizationUnits'
  if (units.length === 0) return [{ attribute, reason: 'must contain at least one unit' }]
  const defaults = units.filter((unit) => unit.default).length
  const errors: ValidationError[] = defaults === 1 ? [] : [{ attribute, reason: 'must have exactly one default' }]
  for (const [index, { randomizationUnit }] of units.entries()) {
    const isRepeated = units.slice(0, index).some((other) => other.randomizationUnit === randomizationUnit)
    const reason = isRepeated ? 'must not be repeated' : kindError(kinds.get(randomizationUnit))
    if (reason !== undefined) errors.push({ attribute: `${attribute}.${index}.randomizationUnit`, reason })
  }
  return errors
}

function kindError(kind: ContextKind | undefined): string | undefined {
  if (!kind) return 'must be a context kind of the project'
  return kind.archived ? 'must not be archived' : undefined
}
