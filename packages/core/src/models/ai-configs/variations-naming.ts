import type { Context } from '../../operation/context.ts'
import type { ListedDocuments, Reader } from '../../storage/reader.ts'
import { type AIConfigVariation, aiConfigVariations } from './ai-config-variation.ts'

type Named = 'tools' | 'judges' | 'modelConfigKey'

/** Lists the variations of all configs of a project that refer to a resource, by config key. */
export function variationsNaming(
  tx: Reader,
  { projectKey }: { readonly projectKey: string },
  field: Named,
  key: string,
  { limit, offset }: { readonly limit: number; readonly offset?: number },
): Promise<ListedDocuments<AIConfigVariation>> {
  return tx.list(
    aiConfigVariations,
    { projectKey },
    { deep: true, where: [{ op: 'equals', field, value: key }], limit, offset },
  )
}

/** Enough references to show the caller where to look. */
const mostNamed = 5

/** Fails a deletion with 409 while variations refer to the resource. */
export async function refuseWhileNamed(
  { tx, fail }: Pick<Context<Reader, 'optimistic_locking_error'>, 'tx' | 'fail'>,
  keys: { readonly projectKey: string },
  field: Named,
  key: string,
): Promise<void> {
  const { items } = await variationsNaming(tx, keys, field, key, { limit: mostNamed })
  if (items.length === 0) return
  const places = items.map((one) => `${one.configKey}/${one.key}`)
  fail('optimistic_locking_error', { message: `Variations of AI configs use it: ${places.join(', ')}` })
}
