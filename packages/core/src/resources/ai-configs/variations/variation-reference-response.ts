import * as v from 'valibot'
import { aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import type { AIConfigVariation } from '../../../models/ai-configs/ai-config-variation.ts'
import { collection } from '../../../operation/schema.ts'
import type { Reader } from '../../../storage/reader.ts'

/** A variation that refers to a resource, as it appears in responses about the resource. */
export const variationReferenceResponse = v.object({
  aiConfigKey: v.string(),
  aiConfigName: v.string(),
  variationId: v.string(),
  variationKey: v.string(),
  variationName: v.string(),
})

/** Returns the schema of a page of the variations that refer to one resource. */
export const variationReferencesResponse = <S extends v.GenericSchema>(item: S) =>
  v.object({ ...collection(item).entries, resourceKey: v.string(), resourceType: v.string() })

/** Serializes variations that refer to a resource. Their configs are read in one batch. */
export async function serializeVariationReferences(
  tx: Reader,
  { projectKey }: { readonly projectKey: string },
  variations: readonly AIConfigVariation[],
): Promise<v.InferOutput<typeof variationReferenceResponse>[]> {
  const configs = await tx.getMany(
    aiConfigs,
    variations.map(({ configKey }) => ({ projectKey, configKey })),
  )
  return variations.map(({ id, configKey, key, name }, index) => ({
    aiConfigKey: configKey,
    aiConfigName: configs[index]?.name ?? configKey,
    variationId: id,
    variationKey: key,
    variationName: name,
  }))
}
