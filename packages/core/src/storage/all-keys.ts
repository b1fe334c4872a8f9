/** Number of keys of one page. */
const pageSize = 10_000

/**
 * Reads all keys of a set, page by page, in code-point order.
 *
 * @param pageKeys reads the keys after `after`, at most `limit`.
 */
export async function allKeys(
  pageKeys: (page: { after?: string; limit: number }) => Promise<readonly string[]>,
): Promise<string[]> {
  const keys: string[] = []
  for (;;) {
    const after = keys.at(-1)
    const page = await pageKeys({ limit: pageSize, ...(after === undefined ? {} : { after }) })
    for (const key of page) keys.push(key)
    if (page.length < pageSize) return keys
  }
}
