import { credentials, type Token } from '../../models/tokens/token.ts'
import type { Writer } from '../../storage/writer.ts'

/**
 * Removes the previous value of a token. Every reset does so, because a caller who resets a leaked token may not know
 * that an earlier reset left an older value valid for some time.
 */
export async function removeRetired(tx: Writer, { retiredHash: hash }: Token): Promise<void> {
  const retired = hash === undefined ? undefined : await tx.get(credentials, { hash })
  if (hash !== undefined && retired) tx.remove(credentials, { hash }, retired)
}
