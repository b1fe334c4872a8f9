/** Largest page of a list. */
const limit = 100

/** Reads all items of a list, page by page. Only for lists that are short. */
export async function listAll<Item>(
  read: (page: {
    limit: number
    offset: number
  }) => Promise<{ readonly items: readonly Item[]; readonly totalCount: number }>,
): Promise<Item[]> {
  const items: Item[] = []
  for (;;) {
    const page = await read({ limit, offset: items.length })
    items.push(...page.items)
    if (page.items.length === 0 || items.length >= page.totalCount) return items
  }
}
