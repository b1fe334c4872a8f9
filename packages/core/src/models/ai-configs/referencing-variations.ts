import type { Context } from '../../operation/context.ts'
import type { ListedDocuments, Reader } from '../../storage/reader.ts'
import { type AIConfigVariation, aiConfigVariations } from './ai-config-variation.ts'

type ReferenceField = 'tools' | 'judges' | 'modelConfigKey'

/** Lists the variations of all configs of a project that refer to a resource, by config key. */
export function referencingVariations(
  tx: Reader,
  { projectKey }: { readonly projectKey: string },
  field: ReferenceField,
  key: string,
  { limit, offset }: { readonly limit: number; readonly offset?: number },
): Promise<ListedDocuments<AIConfigVariation>> {
  return tx.list(
    aiConfigVariations,
    { projectKey },
    { deep: true, where: [{ op: 'equals', field, value: key }], limit, offset },
  )
}

/** Maximum number of references that the message names. */
const maxListed = 5

/** Fails a deletion with 409 when variations refer to the resource. */
export async function refuseWhileReferenced(
  { tx, fail }: Pick<Context<Reader, 'optimistic_locking_error'>, 'tx' | 'fail'>,
  keys: { readonly projectKey: string },
  field: ReferenceField,
  key: string,
): Promise<void> {
  const { items } = await referencingVariations(tx, keys, field, key, { limit: maxListed })
  if (items.length === 0) return
  const paths = items.map((variation) => `${variation.configKey}/${variation.key}`)
  fail('optimistic_locking_error', { message: `Variations of AI configs use it: ${paths.join(', ')}` })
}
