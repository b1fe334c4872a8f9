import type { DocumentId, ListQuery, SeriesId, SetId, Touched } from './port.ts'

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

/** Where what a dependency names is, and what stands there under one name. */
export function placeOf(dependency: Dependency): { readonly name: string; readonly scope: string } {
  // Cut by hand, as it is asked for all that is read.
  const named = dependency.indexOf('\n') + 1
  const end = dependency.indexOf('\n', named)
  const to = dependency.indexOf('\n', end + 1)
  // Documents and lists of a collection go by its name; whatever else has a name of its own.
  const isOfCollection = dependency.startsWith('document\n') || dependency.startsWith('list\n')
  return {
    name: dependency.slice(isOfCollection ? named : 0, end),
    scope: dependency.slice(end + 1, to < 0 ? undefined : to),
  }
}

/** The name of lists of a collection that also stand on what lies under their scope. */
export function deepName(collection: string): string {
  return `deep\n${collection}`
}

/** Whether a name is one of such lists. */
export function isDeep(name: string): boolean {
  return name.startsWith('deep\n')
}

/** The scope that a scope is directly under. */
export function scopeAbove(scope: string): string {
  return scope.slice(0, Math.max(0, scope.lastIndexOf(':')))
}

/** A scope and all that it lies under, down to the account itself. */
function scopesAbove(scope: string): string[] {
  const scopes = [scope]
  for (let above = scope; above !== ''; ) scopes.push((above = scopeAbove(above)))
  return scopes
}
