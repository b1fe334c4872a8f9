/** An environment, with all its applications or some of them, for which scores are computed. */
export interface ScoredPlace {
  readonly projectKey: string
  readonly environmentKey: string
  readonly applicationKeys?: readonly string[]
}

/**
 * Returns the distinct scopes, and for each input scope the index of its distinct one. The order of applications does
 * not matter.
 */
export function distinctPlaces(places: readonly ScoredPlace[]) {
  const { items, at } = distinctBy(places, ({ projectKey, environmentKey, applicationKeys }) => [
    projectKey,
    environmentKey,
    applicationKeys?.toSorted(),
  ])
  return { places: items, at }
}

/** Returns the values with distinct identities, and for each input value the index of its distinct one. */
export function distinctBy<Item>(given: readonly Item[], nameOf: (item: Item) => unknown) {
  const numbers = new Map<string, number>()
  const items: Item[] = []
  const at = given.map((item) => {
    const name = JSON.stringify(nameOf(item))
    const number = numbers.get(name) ?? items.push(item) - 1
    numbers.set(name, number)
    return number
  })
  return { items, at }
}
