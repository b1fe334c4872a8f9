import { type ContextKind, contextKinds } from '../../models/context-kinds/context-kind.ts'
import {
  defaultExperimentationSettings,
  experimentationSettings,
  type RandomizationUnit,
} from '../../models/experimentation-settings/experimentation-settings.ts'
import { projects } from '../../models/projects/project.ts'
import { jsonBody } from '../../operation/body.ts'
import type { Fault } from '../../operation/errors.ts'
import { operation } from '../../operation/operation.ts'
import {
  experimentationSettingsRequest,
  experimentationSettingsWire,
  presentExperimentationSettings,
} from './experimentation-settings-wire.ts'
import { kindsByKey, storedKindsOf } from './kinds-of-units.ts'

export const putExperimentationSettings = operation({
  id: 'putExperimentationSettings',
  summary: 'Replace the units by which the experiments of a project randomize',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/experimentation-settings',
  body: jsonBody(experimentationSettingsRequest),
  success: { status: 200, body: experimentationSettingsWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: experimentationSettings.changeActions,
    resource: experimentationSettings.policyTemplate,
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const { tx } = context
    const { projectKey } = params
    const [found, stored, kinds] = await Promise.all([
      tx.get(projects, params),
      tx.get(experimentationSettings, params),
      storedKindsOf(tx, projectKey, body.randomizationUnits),
    ])
    const project = found ?? context.fail('not_found')
    const before = stored ?? defaultExperimentationSettings(project.createdAt)
    context.requireRevision(before.version)
    const known = kindsByKey(kinds, project.createdAt)
    const errors = unitFaults(body.randomizationUnits, known)
    if (errors.length > 0) context.fail('invalid_request', { errors })
    tx.expect(projects, params, project)
    const randomizationUnits = body.randomizationUnits.map(
      (unit): RandomizationUnit => ({ randomizationUnit: unit.randomizationUnit, default: unit.default }),
    )
    const after = tx.replace(experimentationSettings, params, before, { ...before, randomizationUnits })
    const added = kinds.filter(({ key }) => !before.randomizationUnits.some((one) => one.randomizationUnit === key))
    for (const kind of added) {
      tx.follow(contextKinds, { projectKey, key: kind.key }, kind, { ...kind, holds: kind.holds + 1 })
    }
    context.revision(after.version)
    return presentExperimentationSettings(context, project, after, known)
  },
})

/** Validates units (D22). */
function unitFaults(units: readonly RandomizationUnit[], kinds: ReadonlyMap<string, ContextKind>): Fault[] {
  const attribute = 'randomizationUnits'
  if (units.length === 0) return [{ attribute, reason: 'must contain at least one unit' }]
  const defaults = units.filter((unit) => unit.default).length
  const faults: Fault[] = defaults === 1 ? [] : [{ attribute, reason: 'must have exactly one default' }]
  for (const [at, { randomizationUnit }] of units.entries()) {
    const repeated = units.slice(0, at).some((one) => one.randomizationUnit === randomizationUnit)
    const reason = repeated ? 'must not be repeated' : kindFault(kinds.get(randomizationUnit))
    if (reason !== undefined) faults.push({ attribute: `${attribute}.${at}.randomizationUnit`, reason })
  }
  return faults
}

function kindFault(kind: ContextKind | undefined): string | undefined {
  if (!kind) return 'must be a context kind of the project'
  return kind.archived ? 'must not be archived' : undefined
}
