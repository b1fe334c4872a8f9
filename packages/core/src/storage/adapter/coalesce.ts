/** Resolves with one result for each input, in their order. */
type QueryMany<Input, Result> = (inputs: readonly Input[]) => Promise<Result[]>

/**
 * Combines the queries that are made in the same turn of the event loop into one. So a caller that sends a query for
 * each item of a page waits for one round trip.
 */
export function coalesce<Input, Result>(queryMany: QueryMany<Input, Result>): QueryMany<Input, Result> {
  let pending: { readonly inputs: Input[]; readonly results: Promise<Result[]> } | undefined

  async function queryAll(inputs: Input[]): Promise<Result[]> {
    // Continues only after the current turn has ended.
    await undefined
    pending = undefined
    return queryMany(inputs)
  }

  return async (inputs) => {
    if (inputs.length === 0) return []
    if (!pending) {
      const all: Input[] = []
      pending = { inputs: all, results: queryAll(all) }
    }
    const { inputs: all, results } = pending
    const start = all.length
    for (const input of inputs) all.push(input)
    return (await results).slice(start, start + inputs.length)
  }
}
