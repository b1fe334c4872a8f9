import { credentials, type Token } from '../../models/tokens/token.ts'
import type { Writer } from '../../storage/writer.ts'

/**
 * Takes away the value that a token had before its present one. Every reset does so: whoever resets a token that leaked
 * must not have to know that an earlier reset left an older value some time.
 */
export async function removeRetired(tx: Writer, { retiredHash: hash }: Token): Promise<void> {
  const retired = hash === undefined ? undefined : await tx.get(credentials, { hash })
  if (hash !== undefined && retired) tx.remove(credentials, { hash }, retired)
}
