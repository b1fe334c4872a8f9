/** A context of an evaluation: kind, key and attributes. */
export interface RecentContext {
  readonly kind: string
  readonly key: string
  readonly [attribute: string]: unknown
}

const storageKey = 'halyard-contexts'
const maxContexts = 20

/** Returns the contexts that a person looked up in this tab, most recent first. */
export function recentContexts(): readonly RecentContext[] {
  return JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as RecentContext[]
}

/** Records a context that was looked up. */
export function recordContext(context: RecentContext): void {
  const others = recentContexts().filter(({ kind, key }) => kind !== context.kind || key !== context.key)
  sessionStorage.setItem(storageKey, JSON.stringify([context, ...others].slice(0, maxContexts)))
}
