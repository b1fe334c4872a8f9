/** An environment, with all its applications or some of them, for which scores are computed. */
export interface ScoreScope {
  readonly projectKey: string
  readonly environmentKey: string
  readonly applicationKeys?: readonly string[]
}

/**
 * Returns the distinct scopes, and for each input scope its index among them. The order of applications does not
 * matter.
 */
export function distinctScopes(scopes: readonly ScoreScope[]) {
  const { items, at: indexes } = distinctBy(scopes, ({ projectKey, environmentKey, applicationKeys }) => [
    projectKey,
    environmentKey,
    applicationKeys?.toSorted(),
  ])
  return { scopes: items, at: indexes }
}

/** Returns the values with distinct identities, and for each input value its index among them. */
export function distinctBy<Item>(values: readonly Item[], identityOf: (item: Item) => unknown) {
  const indexByIdentity = new Map<string, number>()
  const items: Item[] = []
  const indexes = values.map((item) => {
    const identity = JSON.stringify(identityOf(item))
    const index = indexByIdentity.get(identity) ?? items.push(item) - 1
    indexByIdentity.set(identity, index)
    return index
  })
  return { items, at: indexes }
}
