import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { texts } from '../texts.ts'

/** The heading of a page, which is also the title of the tab. */
export function PageTitle({ title, children }: { title: string; children?: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · ${texts.brand}`
  }, [title])
  return (
    <div class="row middle">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  )
}
