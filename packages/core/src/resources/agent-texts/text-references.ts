import * as v from 'valibot'
import type { AgentText } from '../../models/agent-texts/agent-text.ts'
import type { AIConfigVariation } from '../../models/ai-configs/ai-config-variation.ts'
import { referencingVariations } from '../../models/ai-configs/referencing-variations.ts'
import type { Context } from '../../operation/context.ts'
import { type PageQuery, pageLinks } from '../../operation/link.ts'
import type { Documents, Keys } from '../../storage/collection.ts'
import type { Reader } from '../../storage/reader.ts'
import {
  serializeVariationReferences,
  variationReferenceResponse,
  variationReferencesResponse,
} from '../ai-configs/variations/variation-reference-response.ts'

const textReferenceResponse = v.object({ ...variationReferenceResponse.entries, resourceVersion: v.number() })

export const textReferencesResponse = variationReferencesResponse(textReferenceResponse)

/** The references of variations to texts of one kind. */
interface TextReferences<T extends AgentText, A extends string> {
  readonly texts: Documents<T, A>
  /** The field of the index of variations that contains the keys of the texts. */
  readonly field: 'skills' | 'snippets'
  /** Returns the references of a variation. A reference without a version means the newest version. */
  versionsIn(variation: AIConfigVariation): readonly { readonly key: string; readonly version?: number }[]
}

/** The keys of the address of a text, and the key of the text itself. */
interface TextName<A extends string> {
  readonly keys: Keys<A> & { readonly projectKey: string }
  readonly textKey: string
}

/**
 * Returns one page of the variations of AI configs that refer to a text. A variation that refers to several versions is
 * listed with the version that its prompts name first. Fails with `not_found` when the text does not exist.
 */
export async function listTextReferences<T extends AgentText, A extends string>(
  { tx, fail, url }: Context<Reader, 'not_found'>,
  { texts, field, versionsIn }: TextReferences<T, A>,
  { keys, textKey }: TextName<A>,
  query: PageQuery,
): Promise<v.InferOutput<typeof textReferencesResponse>> {
  const { projectKey } = keys
  const [text, variations] = await Promise.all([
    tx.get(texts, keys),
    referencingVariations(tx, { projectKey }, { field, key: textKey }, query),
  ])
  if (!text) return fail('not_found')
  const references = await serializeVariationReferences(tx, { projectKey }, variations.items)
  const versionIn = (variation: AIConfigVariation | undefined) =>
    variation && versionsIn(variation).find(({ key }) => key === textKey)?.version
  return {
    resourceKey: textKey,
    resourceType: texts.name,
    items: references.map((reference, index) => ({
      ...reference,
      resourceVersion: versionIn(variations.items[index]) ?? text.revision,
    })),
    totalCount: variations.total,
    _links: pageLinks(url, query, variations.total),
  }
}
