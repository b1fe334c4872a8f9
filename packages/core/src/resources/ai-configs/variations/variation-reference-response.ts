import * as v from 'valibot'
import { aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import type { AIConfigVariation } from '../../../models/ai-configs/ai-config-variation.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { path, selfAndParent } from '../../../operation/link.ts'
import { links } from '../../../operation/schema.ts'

/** A variation that refers to a resource, as it appears in responses about the resource. */
export const variationReferenceResponse = v.object({
  _links: links(),
  configKey: v.string(),
  configName: v.string(),
  variationKey: v.string(),
  variationName: v.string(),
  variationVersion: v.number(),
})

/** Serializes variations that refer to a resource. Their configs are read in one batch. */
export async function serializeVariationReferences(
  { tx }: ReadContext,
  { projectKey }: { readonly projectKey: string },
  variations: readonly AIConfigVariation[],
): Promise<v.InferOutput<typeof variationReferenceResponse>[]> {
  const configs = await tx.getMany(
    aiConfigs,
    variations.map(({ configKey }) => ({ projectKey, configKey })),
  )
  return variations.map(({ configKey, key, name, revision }, index) => {
    const parent = path`/api/v2/projects/${projectKey}/ai-configs/${configKey}`
    return {
      _links: selfAndParent(`${parent}${path`/variations/${key}`}`, parent),
      configKey,
      configName: configs[index]?.name ?? configKey,
      variationKey: key,
      variationName: name,
      variationVersion: revision,
    }
  })
}
