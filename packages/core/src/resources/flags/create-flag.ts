import * as v from 'valibot'
import { type FlagKeys, flags } from '../../models/flags/flag.ts'
import { defaultConfig } from '../../models/flags/flag-config.ts'
import { flagDefaults, initialFlagDefaults } from '../../models/projects/flag-defaults.ts'
import { type Project, projects } from '../../models/projects/project.ts'
import { jsonBody } from '../../operation/body.ts'
import type { WriteContext } from '../../operation/context.ts'
import { insertNew } from '../../operation/document-operations/create-operation.ts'
import { fail } from '../../operation/errors.ts'
import { operation } from '../../operation/operation.ts'
import { key } from '../../operation/schema.ts'
import { validateMaintainerExists } from '../maintainers/validate-maintainer.ts'
import { validateFlag } from './changes/validate-flag.ts'
import { cloneConfigs } from './copies/clone-configs.ts'
import { flagResponse, serializeFlag } from './flag-schema.ts'
import { type FlagState, loadEnvironments, loadFlag, revisionOf } from './flag-state.ts'
import { writeInitialConfigs } from './initial-configs.ts'
import { flagRequest, newFlag, validateCloneRequest, validateFlagRequest } from './new-flag.ts'

export const createFlag = operation({
  id: 'createFlag',
  summary:
    'Create a feature flag, turned off in all environments unless `isFlagOn` is true; with `clone`, copy the targeting of another flag',
  method: 'POST',
  path: '/api/v2/flags/{projectKey}',
  query: v.object({ clone: v.optional(key()) }),
  body: jsonBody(flagRequest),
  success: { status: 201, body: flagResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: { action: 'createFlag', resource: 'proj/{projectKey}:env/*:flag/{body.key}' },
  async handle(context, { params, query, body }) {
    const { tx } = context
    const [storedProject, defaults = initialFlagDefaults] = await Promise.all([
      tx.get(projects, params),
      tx.get(flagDefaults, params),
    ])
    const project = storedProject ?? fail('not_found')
    tx.expect(projects, params, project)
    const source = query.clone === undefined ? undefined : await sourceOf(context, project, query.clone)
    const errors = source ? validateCloneRequest(body) : validateFlagRequest(body)
    if (errors.length > 0) fail('invalid_request', { errors })
    const request = newFlag(context, body, { source: source?.flag, project, defaults })
    errors.push(...validateFlag({ ...request, version: 0 }), ...(await validateMaintainerExists(tx, body)))
    if (errors.length > 0) fail('invalid_request', { errors })
    const keys = { ...params, flagKey: body.key }
    const flag = insertNew(context, flags, keys, request)
    const environments = source?.environments ?? (await loadEnvironments(tx, params.projectKey))
    const untouched = new Map(environments.map((environment) => [environment.key, defaultConfig(flag, environment)]))
    const written = source
      ? cloneConfigs(context, { keys, flag }, source)
      : await writeInitialConfigs(context, keys, { flag, environments, configs: untouched }, body)
    const state = { flag, environments, configs: new Map([...untouched, ...written]) }
    context.setRevision(revisionOf(state))
    return serializeFlag(context, params.projectKey, state)
  },
})

/** Returns the flag to be cloned, when the caller may clone it and view the result. */
async function sourceOf(context: WriteContext, project: Project, flagKey: string): Promise<FlagState> {
  const keys: FlagKeys = { projectKey: project.key, flagKey }
  await context.demand('cloneFlag', flags, keys)
  await context.demand('viewProject', projects, keys, project)
  const reason = 'must be the key of a flag of the project'
  return (
    (await loadFlag(context.tx, keys, context)) ?? fail('invalid_request', { errors: [{ attribute: 'clone', reason }] })
  )
}
