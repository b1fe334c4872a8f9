import * as v from 'valibot'
import { seenContexts } from '../../../models/contexts/seen-context.ts'
import type { EnvironmentKeys } from '../../../models/environments/environment-keys.ts'
import type { Context } from '../../../operation/context.ts'
import { path, selfAndParent } from '../../../operation/link.ts'
import { links } from '../../../operation/schema.ts'
import { type EvaluationContext, evaluate } from '../../../rules/evaluation/index.ts'
import { userKind } from '../../../rules/targeting/clause.ts'
import type { Reader } from '../../../storage/reader.ts'
import { settingOf } from '../../flags/context-settings/context-setting.ts'
import { readContextEnvironment } from '../context-environment.ts'
import { reasonResponse, serializeReason } from '../evaluation-reason-response.ts'

/**
 * Schema of the value of a flag for a user, and of the value that was set for the user, which is null when no value was
 * set.
 */
export const flagSettingResponse = v.object({
  _links: links(),
  _value: v.unknown(),
  setting: v.unknown(),
  reason: reasonResponse,
})

export type FlagSetting = v.InferOutput<typeof flagSettingResponse>

/**
 * Returns the settings of the flags of an environment for a user, by flag. The user has the attributes that an SDK
 * reported last. Fails with 404 when the environment does not exist.
 */
export async function userFlagSettings(
  context: Context<Reader, 'not_found'>,
  { projectKey, environmentKey, userKey }: EnvironmentKeys & { readonly userKey: string },
): Promise<ReadonlyMap<string, FlagSetting>> {
  const keys = { projectKey, environmentKey }
  const where = [{ op: 'equals', field: 'kindKeys', value: `${userKind}:${userKey}` }] as const
  const { items } = await context.tx.list(seenContexts, keys, { where, limit: 1 })
  const user: EvaluationContext = items[0]?.context ?? { kind: userKind, key: userKey }
  const { documents, content, bigSegments } = await readContextEnvironment(context, keys, user)
  const parent = path`/api/v2/users/${projectKey}/${environmentKey}/${userKey}/flags`
  return new Map(
    documents.flags.map(({ flag, config }) => {
      const { value, reason } = evaluate(content.ruleset, flag.key, user, { bigSegments })
      const index = settingOf(config, { contextKind: userKind, contextKey: userKey })
      const setting = index === undefined ? null : flag.variations[index]?.value
      const response = { _value: value === undefined ? null : value, setting, reason: serializeReason(reason) }
      return [flag.key, { _links: selfAndParent(parent + path`/${flag.key}`, parent), ...response }]
    }),
  )
}
