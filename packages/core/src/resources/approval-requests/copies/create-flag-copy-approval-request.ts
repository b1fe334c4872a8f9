import * as v from 'valibot'
import { requestsAbout } from '../../../models/approval-requests/approval-request.ts'
import { flags } from '../../../models/flags/flag.ts'
import { type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { jsonBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { key } from '../../../operation/schema.ts'
import { copyableAspects } from '../../flags/copies/copied-config.ts'
import { loadFlag } from '../../flags/flag-state.ts'
import { requestBody } from '../approval-request-body.ts'
import { approvalRequestResponse } from '../approval-request-response.ts'
import { flagRef } from '../find-request.ts'
import { createRequest } from '../steps/create-request.ts'
import { copiedInstructions } from './copied-instructions.ts'

const aspects = v.array(v.picklist(copyableAspects))

const { instructions: _, ...requestEntries } = requestBody.entries

const copyRequest = v.pipe(
  v.strictObject({
    ...requestEntries,
    source: v.strictObject({
      key: key(),
      version: v.optional(v.pipe(v.number(), v.integer('must be an integer'))),
    }),
    includedActions: v.optional(aspects),
    excludedActions: v.optional(aspects),
  }),
  v.forward(
    v.check(
      ({ includedActions, excludedActions }) => !includedActions || !excludedActions,
      'must not be given together with includedActions',
    ),
    ['excludedActions'],
  ),
)

export const createFlagCopyApprovalRequest = operation({
  id: 'createFlagCopyApprovalRequest',
  summary: 'Create an approval request for a copy of the configuration of a flag from another environment to this one',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests-flag-copy',
  body: jsonBody(copyRequest),
  success: { status: 201, body: approvalRequestResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'createApprovalRequest',
    resource: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const { tx } = context
    const { source, includedActions, excludedActions, ...request } = body
    const { projectKey, flagKey, environmentKey } = params
    const keys = { projectKey, flagKey }
    const { flag, configs } = (await loadFlag(tx, keys, context)) ?? context.fail('not_found')
    const to = configs.get(environmentKey) ?? context.fail('not_found')
    const from = source.key === environmentKey ? undefined : configs.get(source.key)
    const invalid = (attribute: string, reason: string): never =>
      context.fail('invalid_request', { errors: [{ attribute, reason }] })
    if (!from) return invalid('source.key', 'must be the key of another environment of the project')
    await context.demand('copyFlagConfigFrom', flagConfigs, { ...keys, environmentKey: source.key })
    requireVersion(from)
    const prerequisiteKeys = from.prerequisites.map((prerequisite) => prerequisite.key)
    const stored = await tx.getMany(
      flags,
      prerequisiteKeys.map((prerequisiteKey) => ({ projectKey, flagKey: prerequisiteKey })),
    )
    const prerequisites = new Map(stored.flatMap((each) => (each ? [[each.key, each] as const] : [])))
    const selection = { ...(includedActions && { includedActions }), ...(excludedActions && { excludedActions }) }
    const instructions = copiedInstructions(flag, { from, to }, { selection, prerequisites })
    if (from.offVariation === undefined && to.offVariation !== undefined) {
      invalid(
        'source.key',
        'must be an environment in which the flag has an off variation: the target environment has one, which no instruction can remove',
      )
    }
    if (instructions.length === 0)
      invalid('source.key', 'must be an environment in which the configuration of the flag differs')
    const response = await createRequest(context, flagRef(params), { ...request, instructions })
    const requestKeys = { ...flagRef(params), id: response._id }
    tx.describe(requestsAbout(requestKeys), requestKeys, [
      ({ it, nameOf }) => `requested the approval of ${it}, a copy from ${nameOf('environment', source.key)}`,
    ])
    return response

    function requireVersion({ version }: FlagConfig) {
      // Versions in responses start at 1.
      if (source.version === undefined || source.version === version + 1) return
      const message = `The flag has version ${version + 1} in the environment ${source.key}`
      context.fail('optimistic_locking_error', { message })
    }
  },
})
