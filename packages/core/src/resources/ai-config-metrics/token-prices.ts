import { aiConfigVariationRevisions, aiConfigVariations } from '../../models/ai-configs/ai-config-variation.ts'
import { aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import type { VariationSums } from '../../rules/ai-metrics/ai-metric-sums.ts'
import type { Reader } from '../../storage/reader.ts'

/** Sums of a variation of a config, with the prices of its model. */
export interface PricedSums extends VariationSums {
  readonly configKey: string
  /** US dollars; undefined when the model has no price. */
  readonly costPerInputToken: number | undefined
  /** US dollars; undefined when the model has no price. */
  readonly costPerOutputToken: number | undefined
}

/** Sums of a variation of a config. */
export type ConfigSums = VariationSums & Pick<PricedSums, 'configKey'>

/**
 * Adds the prices that the model configs have now. The model is that of the measured version of a variation, or of the
 * newest version if the measured version is not known.
 */
export async function withPrices(
  tx: Reader,
  { projectKey }: { readonly projectKey: string },
  parts: readonly ConfigSums[],
): Promise<PricedSums[]> {
  const [revisions, newest] = await Promise.all([
    tx.getMany(
      aiConfigVariationRevisions,
      parts.map(({ configKey, variationKey, variationVersion }) => ({
        projectKey,
        configKey,
        variationKey,
        revision: String(variationVersion),
      })),
    ),
    tx.getMany(
      aiConfigVariations,
      parts.map(({ configKey, variationKey }) => ({ projectKey, configKey, variationKey })),
    ),
  ])
  const modelKeys = parts.map((_, index) => (revisions[index] ?? newest[index])?.modelConfigKey)
  const knownKeys = [...new Set(modelKeys.filter((key) => key !== undefined))]
  const models = await tx.getMany(
    aiModelConfigs,
    knownKeys.map((modelConfigKey) => ({ projectKey, modelConfigKey })),
  )
  const modelsByKey = new Map(knownKeys.map((key, index) => [key, models[index]]))
  return parts.map((part, index) => {
    const model = modelsByKey.get(modelKeys[index] ?? '')
    return { ...part, costPerInputToken: model?.costPerInputToken, costPerOutputToken: model?.costPerOutputToken }
  })
}
