import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { members } from '../members/member.ts'
import { projects } from '../projects/project.ts'
import { flags } from './flag.ts'
import { defaultConfig } from './flag-config.ts'
import { flagFaults } from './flag-faults.ts'
import { loadEnvironments, revisionOf } from './flag-state.ts'
import { flagWire, presentFlag } from './flag-wire.ts'
import { flagRequest, newFlag, requestFaults } from './new-flag.ts'

export const createFlag = operation({
  id: 'createFlag',
  summary: 'Create a feature flag, off in all environments',
  method: 'POST',
  path: '/api/v2/flags/{projectKey}',
  body: jsonBody(flagRequest),
  success: { status: 201, body: flagWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'createFlag', resource: 'proj/{projectKey}:env/*:flag/{body.key}' },
  async handle(context, { params, body }) {
    const { tx, host, now, caller, fail } = context
    const project = (await tx.get(projects, params)) ?? fail('not_found')
    tx.expect(projects, params, project)
    const errors = requestFaults(body)
    if (errors.length > 0) fail('invalid_request', { errors })
    const request = newFlag(host, now, caller, project, body)
    errors.push(...flagFaults({ ...request, version: 0 }))
    if (body.maintainerId !== undefined && !(await tx.get(members, { memberId: body.maintainerId }))) {
      errors.push({ attribute: 'maintainerId', reason: 'must be the id of a member' })
    }
    if (errors.length > 0) fail('invalid_request', { errors })
    const flag = tx.insert(flags, { ...params, flagKey: body.key }, request, () =>
      fail('optimistic_locking_error', { message: `There is a flag ${body.key} already` }),
    )
    const environments = await loadEnvironments(tx, params.projectKey)
    const configs = new Map(environments.map((one) => [one.key, defaultConfig(flag, one)]))
    const state = { flag, environments, configs }
    context.revision(revisionOf(state))
    return presentFlag(context, params.projectKey, state)
  },
})
