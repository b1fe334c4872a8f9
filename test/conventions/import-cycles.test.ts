import { describe, expect, it } from 'vitest'
import { allSources, core, type Edge, edgesOf, within } from './import-edges.ts'

describe('import cycles', () => {
  it('do not exist between files, types included', () => {
    const broken = cyclesIn(graphOf(edgesOf(allSources))).map(
      (files) =>
        `${files.join(' -> ')}: edit ${files[0]}. Move the declaration that two of these files share to a file of its own`,
    )
    expect(broken).toEqual([])
  })

  /** `resources/flags` or `models/flags`. */
  const sliceOf = (file: string) => /^(?:resources|models)\/[^/]+(?=\/)/.exec(within(file))?.[0]
  const betweenSlices = edgesOf(core).filter(
    ({ from, to }) => sliceOf(from) && sliceOf(to) && sliceOf(from) !== sliceOf(to),
  )

  it('do not exist between folders of resources and models, types included', () => {
    const slices = betweenSlices.map(({ from, to }) => ({ from: sliceOf(from) as string, to: sliceOf(to) as string }))
    const broken = cyclesIn(graphOf(slices)).map((cycle) => {
      const { from, to } = cheapestImport(cycle)
      return (
        `${cycle.join(' -> ')}: edit ${from}, which imports ${to}. Move what both slices need below them, ` +
        'to packages/core/src/models/, or to a slice that imports neither'
      )
    })
    expect(broken).toEqual([])
  })

  /** Returns an import that is a part of the cycle, from the step with the fewest imports. */
  function cheapestImport(cycle: readonly string[]): Edge {
    const steps = cycle
      .slice(1)
      .map((importsOf, index) =>
        betweenSlices.filter(({ from, to }) => sliceOf(from) === cycle[index] && sliceOf(to) === importsOf),
      )
    return steps.sort((a, b) => a.length - b.length)[0]?.[0] as Edge
  }

  it('are found at any position in a graph', () => {
    const graph = graphOf([
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'b' },
      { from: 'd', to: 'd' },
    ])
    expect(cyclesIn(graph)).toEqual([
      ['b', 'c', 'b'],
      ['d', 'd'],
    ])
  })
})

/** Returns the nodes to which each node has an edge. */
function graphOf(edges: readonly Pick<Edge, 'from' | 'to'>[]): ReadonlyMap<string, ReadonlySet<string>> {
  const graph = new Map<string, Set<string>>()
  for (const { from, to } of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to))
  return graph
}

/**
 * Returns at least one cycle of each group of nodes that lead to each other, as `[a, b, a]`; an empty list for a graph
 * without cycles.
 */
function cyclesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const visited = new Set<string>()
  const cycles: string[][] = []
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) {
      cycles.push([...path.slice(path.indexOf(node)), node])
      return
    }
    if (visited.has(node)) return
    for (const importsOf of graph.get(node) ?? []) visit(importsOf, [...path, node])
    visited.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return cycles
}
