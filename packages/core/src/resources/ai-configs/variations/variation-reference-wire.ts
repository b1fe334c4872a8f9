import * as v from 'valibot'
import { aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import type { AIConfigVariation } from '../../../models/ai-configs/ai-config-variation.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { path, selfAndParent } from '../../../operation/link.ts'
import { links } from '../../../operation/schema.ts'

/** A variation that names a thing, as the thing shows it. */
export const variationReferenceWire = v.object({
  _links: links(),
  configKey: v.string(),
  configName: v.string(),
  variationKey: v.string(),
  variationName: v.string(),
  variationVersion: v.number(),
})

/** Shows variations that name a thing; their configs are looked up in one question. */
export async function presentVariationReferences(
  { tx }: ReadContext,
  { projectKey }: { readonly projectKey: string },
  variations: readonly AIConfigVariation[],
): Promise<v.InferOutput<typeof variationReferenceWire>[]> {
  const configs = await tx.getMany(
    aiConfigs,
    variations.map(({ configKey }) => ({ projectKey, configKey })),
  )
  return variations.map(({ configKey, key, name, revision }, at) => {
    const parent = path`/api/v2/projects/${projectKey}/ai-configs/${configKey}`
    return {
      _links: selfAndParent(`${parent}${path`/variations/${key}`}`, parent),
      configKey,
      configName: configs[at]?.name ?? configKey,
      variationKey: key,
      variationName: name,
      variationVersion: revision,
    }
  })
}
