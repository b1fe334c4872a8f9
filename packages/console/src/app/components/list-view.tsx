import type { ComponentChildren } from 'preact'
import { texts } from '../texts.ts'
import type { useList } from '../use-list.ts'
import { QueryView } from './query-view.tsx'

/** Shows the items of a list, with a button for more. */
export function ListView<Item>({
  list,
  children,
}: {
  list: ReturnType<typeof useList<Item>>
  children: (items: readonly Item[]) => ComponentChildren
}) {
  return (
    <section class="panel">
      <QueryView query={list}>
        {({ items, totalCount }) => (
          <>
            {children(items)}
            {items.length < totalCount && (
              <button type="button" onClick={list.more}>
                {texts.more}
              </button>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}
