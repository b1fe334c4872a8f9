import { useRef } from 'preact/hooks'
import { type QueryState, useQuery } from './use-query.ts'

/** Number of items that a list shows at first, and with each further page. */
const pageSize = 50

interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly totalCount: number
}

/**
 * Loads the first items of a list, and more on request.
 *
 * @param key identifies the list.
 * @param read reads a page of it.
 */
export function useList<Item>(
  key: string,
  read: (page: { limit: number; offset: number }) => Promise<ListPage<Item>>,
): QueryState<ListPage<Item>> & { readonly more: () => void } {
  const displayedPages = useRef({ key, pages: 1 })
  if (displayedPages.current.key !== key) displayedPages.current = { key, pages: 1 }
  const query = useQuery(key, async () => {
    const offsets = Array.from({ length: displayedPages.current.pages }, (_, page) => page * pageSize)
    const pages = await Promise.all(offsets.map((offset) => read({ limit: pageSize, offset })))
    return { items: pages.flatMap(({ items }) => items), totalCount: pages[0]?.totalCount ?? 0 }
  })
  const more = () => {
    displayedPages.current.pages++
    query.reload()
  }
  return { ...query, more }
}
