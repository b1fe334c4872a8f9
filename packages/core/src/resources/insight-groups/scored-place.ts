/** What scores are asked of: an environment, and of its applications all or those that are named. */
export interface ScoredPlace {
  readonly projectKey: string
  readonly environmentKey: string
  readonly applicationKeys?: readonly string[]
}

/** Places, each once, and which of them each of these is: the order of applications makes no difference. */
export function distinctPlaces(places: readonly ScoredPlace[]) {
  const { items, at } = distinctBy(places, ({ projectKey, environmentKey, applicationKeys }) => [
    projectKey,
    environmentKey,
    applicationKeys?.toSorted(),
  ])
  return { places: items, at }
}

/** Those that have a name of their own; `at` says for each that was given which of them it is. */
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
