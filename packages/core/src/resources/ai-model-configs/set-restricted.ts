import * as v from 'valibot'
import { type AIModelConfig, aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import type { Context } from '../../operation/context.ts'
import { key } from '../../operation/schema.ts'
import type { Writer } from '../../storage/writer.ts'

/** Keys of the model configs to change. */
export const restrictedModelsRequest = v.strictObject({
  keys: v.pipe(
    v.array(key()),
    v.minLength(1, 'must contain at least 1 key'),
    v.maxLength(100, 'must contain at most 100 keys'),
    v.check((keys) => new Set(keys).size === keys.length, 'must not repeat a key'),
  ),
})

/**
 * Restricts model configs, or removes the restriction: all of them or none. The caller needs the right to update each.
 * The call creates no new versions, because the properties of the model stay the same.
 *
 * @returns the model configs as they will be stored, in the order of `keys`.
 */
export async function setRestricted(
  { tx, fail }: Context<Writer, 'invalid_request'>,
  projectKey: string,
  keys: readonly string[],
  restricted: boolean,
): Promise<AIModelConfig[]> {
  const keysList = keys.map((modelConfigKey) => ({ projectKey, modelConfigKey }))
  const stored = await tx.getMany(aiModelConfigs, keysList)
  const errors = keys.flatMap((_, index) =>
    stored[index] ? [] : [{ attribute: `keys.${index}`, reason: 'must be the key of a model config of the project' }],
  )
  if (errors.length > 0) fail('invalid_request', { errors })
  const configs = stored.filter((config) => config !== undefined)
  return configs.map((config, index) =>
    tx.replace(aiModelConfigs, keysList[index] as (typeof keysList)[number], config, { ...config, restricted }),
  )
}
