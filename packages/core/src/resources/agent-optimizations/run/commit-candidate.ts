import { ApiError } from '../../../operation/errors.ts'
import type { OptimizerApi, ResultChange } from './optimizer-api.ts'
import type { Candidate, RunSettings } from './run-settings.ts'

/**
 * Creates a variation of the AI config with the instructions and the model of a candidate, with the rights of the
 * caller. Creates no variation when the candidate equals the variation from which the run started.
 *
 * @returns the key of the variation, or the reason why it could not be created.
 */
export async function commitCandidate(
  api: OptimizerApi,
  settings: RunSettings,
  candidate: Candidate,
): Promise<Pick<ResultChange, 'createdVariationKey' | 'reason'>> {
  const { projectKey, aiConfigKey: configKey, start, firstCandidate, runId } = settings
  const isSameModel = candidate.model === firstCandidate.model
  if (isSameModel && candidate.instructions === start.instructions) return {}
  // The key is the same when an interrupted run continues.
  const key = `${start.key.slice(0, 200)}-${runId.slice(0, 8)}`
  const nameOfModel = 'modelName' in start.model ? 'modelName' : 'name'
  const body = {
    key,
    name: `${start.name.slice(0, 200)} (optimized)`,
    instructions: candidate.instructions,
    model: { ...start.model, [nameOfModel]: candidate.model },
    // The model config of the variation describes its current model, so a different model must not keep it.
    ...(isSameModel && start.modelConfigKey !== undefined ? { modelConfigKey: start.modelConfigKey } : {}),
    tools: [...start.tools],
    judgeConfiguration: { judges: [...start.judges] },
  }
  try {
    await api.createAIConfigVariation({ projectKey, configKey, body })
    return { createdVariationKey: key }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (await wasCreated(api, { projectKey, configKey, variationKey: key }, candidate))
      return { createdVariationKey: key }
    return { reason: `The variation ${key} could not be created: ${error.message}` }
  }
}

/** Returns true if the variation was created before the run was interrupted. */
async function wasCreated(
  api: OptimizerApi,
  keys: { readonly projectKey: string; readonly configKey: string; readonly variationKey: string },
  { instructions }: Candidate,
): Promise<boolean> {
  try {
    const { items } = await api.getAIConfigVariation(keys)
    return items[0]?.instructions === instructions
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
