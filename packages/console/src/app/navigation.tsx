import { computed, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { type PageName, pageAt, pathOfPage } from '../console-paths.ts'
import { basePath } from './server-settings.ts'

/** The address that the browser shows: the path below the mount path, and the query. */
const address = signal(currentAddress())

function currentAddress() {
  return { path: location.pathname.slice(basePath.length) || '/', search: location.search }
}

/** The path is a signal of its own, because each search changes the query, and the page stays the same. */
const path = computed(() => address.value.path)

/** The page at the address; undefined when the console has no page there. */
export const currentPage = computed(() => pageAt(path.value))

/** The parameters of the query of the address. */
export const currentQuery = computed(() => new URLSearchParams(address.value.search))

/** Increases with each navigation that leads to another path. */
export const visits = signal(0)

/** Returns the address of a page, for a link. */
export function hrefOf(
  page: PageName,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  return `${basePath}${pathOfPage(page, params)}${search && `?${search}`}`
}

/** Goes to an address of the console without loading the document again. */
export function navigate(href: string, { replace = false } = {}): void {
  const before = location.pathname
  history[replace ? 'replaceState' : 'pushState'](null, '', href)
  address.value = currentAddress()
  if (location.pathname !== before) visits.value++
}

/** Changes parameters of the query of the address; empty ones are removed. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const query = { ...Object.fromEntries(currentQuery.value), ...changes }
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  navigate(`${location.pathname}${search && `?${search}`}`, { replace: true })
}

addEventListener('popstate', () => {
  address.value = currentAddress()
  visits.value++
})

/** A link to a page of the console. */
export function Link({
  href,
  children,
  ...rest
}: {
  href: string
  children: ComponentChildren
  class?: string
  current?: boolean
}) {
  const { current, ...attributes } = rest
  return (
    <a
      href={href}
      aria-current={current ? 'page' : undefined}
      {...attributes}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        navigate(href)
      }}
    >
      {children}
    </a>
  )
}
