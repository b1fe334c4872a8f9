import * as v from 'valibot'
import type { AgentText } from '../../models/agent-texts/agent-text.ts'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import type { AIConfigVariation } from '../../models/ai-configs/ai-config-variation.ts'
import { referencingVariations } from '../../models/ai-configs/referencing-variations.ts'
import type { Context } from '../../operation/context.ts'
import { type PageQuery, pageLinks } from '../../operation/link.ts'
import { collection } from '../../operation/schema.ts'
import type { Documents, Keys } from '../../storage/collection.ts'
import type { Reader } from '../../storage/reader.ts'

const textReferenceResponse = v.object({
  aiConfigKey: v.string(),
  aiConfigName: v.string(),
  variationId: v.string(),
  variationKey: v.string(),
  variationName: v.string(),
  resourceVersion: v.number(),
})

export const textReferencesResponse = v.object({
  ...collection(textReferenceResponse).entries,
  resourceKey: v.string(),
  resourceType: v.string(),
})

/** The references of variations to texts of one kind. */
interface TextReferences {
  /** The field of the index of variations that contains the keys of the texts. */
  readonly field: 'skills' | 'snippets'
  /** Returns the references of a variation. One without a version is a reference to the newest version. */
  versionsIn(variation: AIConfigVariation): readonly { readonly key: string; readonly version?: number }[]
}

/**
 * Returns one page of the variations of AI configs that refer to a text. A variation that refers to several versions
 * has the version that its prompts name first. Fails with `not_found` when the text does not exist.
 */
export async function listTextReferences<T extends AgentText, A extends string>(
  { tx, fail, url }: Context<Reader, 'not_found'>,
  texts: Documents<T, A>,
  keys: Keys<A> & { readonly projectKey: string },
  query: PageQuery,
  textKey: string,
  { field, versionsIn }: TextReferences,
): Promise<v.InferOutput<typeof textReferencesResponse>> {
  const { projectKey } = keys
  const [text, variations] = await Promise.all([
    tx.get(texts, keys),
    referencingVariations(tx, { projectKey }, field, textKey, query),
  ])
  if (!text) return fail('not_found')
  const configs = await tx.getMany(
    aiConfigs,
    variations.items.map(({ configKey }) => ({ projectKey, configKey })),
  )
  return {
    resourceKey: textKey,
    resourceType: texts.name,
    items: variations.items.map((variation, index) => ({
      aiConfigKey: variation.configKey,
      aiConfigName: configs[index]?.name ?? variation.configKey,
      variationId: variation.id,
      variationKey: variation.key,
      variationName: variation.name,
      resourceVersion: versionsIn(variation).find(({ key }) => key === textKey)?.version ?? text.revision,
    })),
    totalCount: variations.total,
    _links: pageLinks(url, query, variations.total),
  }
}
