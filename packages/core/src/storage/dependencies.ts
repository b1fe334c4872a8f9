import { type DocumentId, isUnder, type ListQuery, type SeriesId, type SetId, type Touched } from './port.ts'

/**
 * What something was made from, as one text: a kind, a name, a scope, and the key of a document. A newline stands in
 * neither name nor scope.
 */
export type Dependency = string

export function onDocument({ collection, scope, key }: DocumentId): Dependency {
  return `document\n${collection}\n${scope}\n${key}`
}

/** On which documents there are, and on what they say. */
export function onList({ collection, scope, deep }: Pick<ListQuery, 'collection' | 'scope' | 'deep'>): Dependency {
  return `${deep ? 'deep' : 'list'}\n${collection}\n${scope}`
}

export function onMembers({ name, scope }: SetId): Dependency {
  return `members\n${name}\n${scope}`
}

export function onSamples({ name, scope }: SeriesId): Dependency {
  return `samples\n${name}\n${scope}`
}

/** A change of more than can be named one by one. */
export type WideTouch = Extract<Touched, { readonly what: 'collection' | 'scope' }>

/** The dependencies that a change of one thing concerns. */
export function concernedBy(touched: Exclude<Touched, WideTouch>): readonly Dependency[] {
  switch (touched.what) {
    case 'document': {
      const { collection, scope } = touched.id
      const deep = scopesAbove(scope).map((above) => onList({ collection, scope: above, deep: true }))
      return [onDocument(touched.id), onList({ collection, scope }), ...deep]
    }
    case 'members':
      return [onMembers(touched.set)]
    case 'samples':
      return [onSamples(touched.series)]
    case 'tasks':
      // No reader sees them.
      return []
  }
}

/** Whether a change of a whole scope, or of one collection in it, concerns a dependency. */
export function concerns(touched: WideTouch, dependency: Dependency): boolean {
  const [kind, name, scope] = dependency.split('\n', 3) as [string, string, string]
  if (touched.what === 'collection' && (touched.collection !== name || kind === 'members' || kind === 'samples')) {
    return false
  }
  return isUnder(scope, touched.scope) || (kind === 'deep' && isUnder(touched.scope, scope))
}

/** Where what a dependency names is, and whether what lies under that counts as well. */
export function reachOf(dependency: Dependency): { readonly scope: string; readonly deep: boolean } {
  // Cut by hand, as it is asked for all that is read.
  const from = dependency.indexOf('\n', dependency.indexOf('\n') + 1) + 1
  const to = dependency.indexOf('\n', from)
  return { scope: dependency.slice(from, to < 0 ? undefined : to), deep: dependency.startsWith('deep\n') }
}

/** A scope and all that it lies under, down to the account itself. */
function scopesAbove(scope: string): string[] {
  const scopes = [scope]
  for (let end = scope.lastIndexOf(':'); end > 0; end = scope.lastIndexOf(':', end - 1))
    scopes.push(scope.slice(0, end))
  if (scope !== '') scopes.push('')
  return scopes
}
