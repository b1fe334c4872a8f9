import type { ListedDocuments, Reader } from '../../storage/reader.ts'
import { type AIConfigVariation, aiConfigVariations } from './ai-config-variation.ts'

type ReferenceField = 'tools' | 'skills' | 'snippets' | 'judges' | 'modelConfigKey'

/** The key to which variations refer, and the field that contains it. */
export interface VariationReference {
  readonly field: ReferenceField
  readonly key: string
}

/** Lists the variations of all configs of a project that refer to a resource, by config key. */
export function referencingVariations(
  tx: Reader,
  { projectKey }: { readonly projectKey: string },
  { field, key }: VariationReference,
  { limit, offset }: { readonly limit: number; readonly offset?: number },
): Promise<ListedDocuments<AIConfigVariation>> {
  return tx.list(
    aiConfigVariations,
    { projectKey },
    { deep: true, where: [{ op: 'equals', field, value: key }], limit, offset },
  )
}
