import * as v from 'valibot'
import { environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { flagConfigs } from '../../../models/flags/flag-config.ts'
import { jsonBody } from '../../../operation/body.ts'
import type { WriteContext } from '../../../operation/context.ts'
import { fail } from '../../../operation/errors.ts'
import { operation } from '../../../operation/operation.ts'
import type { ExpiryError } from '../../../rules/expiring-targets/expiring-targets.ts'
import { bypassQuery } from '../../environments/approval-bypass-query.ts'
import type { ExpiryInstruction } from '../../targeting/expiring-target-request.ts'
import { serializeInstructionCounts } from '../../targeting/expiring-target-response.ts'
import { refuseExpiryErrors } from '../../targeting/refuse-expiry-errors.ts'
import { type FlagState, withConfigs } from '../flag-state.ts'
import { expiringFlagsOfUserPatch, patchedExpiringUserTargetsResponse } from './expiring-flag-target-schema.ts'
import { datesOf, editDates, saveDates } from './expiring-flag-targets.ts'
import { datesOfUser, isOfUser, serializeDatesOfUser, type UserKeys } from './expiring-flags-of-user.ts'

/** Maximum number of flags that one call changes. */
const maxChangedFlags = 100

/** An instruction about the user of the path. */
type FlagInstruction = ExpiryInstruction & { readonly flagKey: string; readonly variationId: string }

export const patchExpiringFlagsForUser = operation({
  id: 'patchExpiringFlagsForUser',
  summary: 'Update the expiry dates of a user among the targets of several flags in an environment, as one commit',
  method: 'PATCH',
  path: '/api/v2/users/{projectKey}/{userKey}/expiring-user-targets/{environmentKey}',
  freeParams: ['userKey'],
  query: v.object(bypassQuery),
  body: jsonBody(expiringFlagsOfUserPatch),
  success: { status: 200, body: patchedExpiringUserTargetsResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, body: { instructions, comment } }) {
    const flagKeys = [...new Set(instructions.map(({ flagKey }) => flagKey))]
    if (flagKeys.length > maxChangedFlags) {
      const reason = `must name at most ${maxChangedFlags} flags`
      fail('invalid_request', { errors: [{ attribute: 'instructions', reason }] })
    }
    for (const flagKey of flagKeys) {
      await context.demand('updateExpiringTargets', flagConfigs, { ...params, flagKey })
    }
    const earlier = (await datesOfUser(context, params)) ?? fail('not_found')
    const changed = await changeFlags(context, params, { instructions, comment })
    const dates = [...earlier.filter(({ flagKey }) => !flagKeys.includes(flagKey)), ...changed]
    return {
      ...serializeDatesOfUser(context, params, dates),
      ...serializeInstructionCounts(instructions.length),
    }
  },
})

/** Instructions, and the comment on them. */
interface CommentedInstructions {
  readonly instructions: readonly FlagInstruction[]
  readonly comment: string | undefined
}

/**
 * Changes the expiry dates of a user in the flags that instructions name.
 *
 * @returns the dates of the user in these flags, as they will be stored.
 * @throws ApiError `invalid_request` with each instruction that cannot be applied, of all flags;
 *   `optimistic_locking_error` for a date whose version has changed.
 */
async function changeFlags(
  context: WriteContext,
  { userKey, ...keys }: UserKeys,
  { instructions, comment }: CommentedInstructions,
) {
  const states = await readFlags(context, keys, instructions)
  const errors: ExpiryError[] = []
  const edited = [...states.values()].map((state) => {
    const configKeys = { ...keys, flagKey: state.flag.key }
    const flagInstructions = [...instructions.entries()].filter(([, { flagKey }]) => flagKey === state.flag.key)
    const edits = flagInstructions.map(([, instruction]) => ({ ...instruction, userKey }))
    const result = editDates(context, state, configKeys, edits)
    errors.push(...result.errors.map((error) => ({ ...error, index: flagInstructions[error.index]?.[0] as number })))
    return { state, keys: configKeys, targets: result.targets }
  })
  refuseExpiryErrors(
    errors.sort((a, b) => a.index - b.index),
    instructions,
  )
  const dates = []
  for (const { state, keys: configKeys, targets } of edited) {
    const stored = await saveDates(context, state, { keys: configKeys, targets, comment })
    const ofUser = datesOf(stored).filter((target) => isOfUser(target, userKey))
    dates.push(...ofUser.map((target) => ({ flagKey: configKeys.flagKey, target })))
  }
  return dates
}

/**
 * Reads the flags that instructions name, each with its configuration in the environment.
 *
 * @throws ApiError `invalid_request` that names each flag that does not exist.
 */
async function readFlags(
  context: WriteContext,
  keys: Omit<UserKeys, 'userKey'>,
  instructions: readonly FlagInstruction[],
): Promise<ReadonlyMap<string, FlagState>> {
  const { tx } = context
  const flagKeys = [...new Set(instructions.map(({ flagKey }) => flagKey))]
  const [environment, found] = await Promise.all([
    tx.get(environments, keys),
    tx.getMany(
      flags,
      flagKeys.map((flagKey) => ({ ...keys, flagKey })),
    ),
  ])
  if (!environment) return fail('not_found')
  const flagList = found.filter((flag) => flag !== undefined)
  const states = await withConfigs(tx, keys.projectKey, { flagList, environments: [environment] }, context)
  const byKey = new Map(states.map((state) => [state.flag.key, state]))
  const errors = instructions.flatMap(({ flagKey }, index) =>
    byKey.has(flagKey)
      ? []
      : [{ attribute: `instructions.${index}.flagKey`, reason: 'must be the key of a flag of the project' }],
  )
  if (errors.length > 0) fail('invalid_request', { errors })
  return byKey
}
