/**
 * Number of characters that cost as much to load as one more file. Of 11,000 to 200,000, measured with the calls
 * `listProjects`, `listFlags` and `createProject` in a new process, this number made the first call shortest while all
 * three together took no longer than with any other.
 */
const openingCost = 57_000

/**
 * Divides modules among files, so that the first call of a resource opens few files, and loads little that it does not
 * need. First, modules that the same entries need form a group. Then the two groups are joined that save most, until no
 * pair saves anything. Groups that would import each other are not joined, because their constants could then be used
 * before they have a value.
 *
 * @param entries the modules that are imported on demand, each with all modules that it imports, directly or not.
 * @param importsOf returns the modules that a module imports statically.
 * @param sizeOf returns the number of characters of a module.
 * @returns the groups, each with its modules and the entries that need one of them.
 */
export function groupModules({ entries, importsOf, sizeOf }) {
  let groups = groupsByEntries(entries, sizeOf)
  for (;;) {
    const imported = importedGroups(groups, importsOf)
    const pair = bestPair(groups, imported)
    if (!pair) return groups
    groups = [...groups.filter((group) => !pair.includes(group)), joined(...pair)]
    addEntries(groups, importedGroups(groups, importsOf))
  }
}

/** Groups modules by the entries that need them. */
function groupsByEntries(entries, sizeOf) {
  const entriesOf = new Map()
  for (const [entry, modules] of entries) {
    for (const id of modules) entriesOf.set(id, new Set([...(entriesOf.get(id) ?? []), entry]))
  }
  const groups = new Map()
  for (const [id, needing] of entriesOf) {
    const group = { ids: new Set([id]), entries: needing, size: sizeOf(id) }
    const key = [...needing].join()
    groups.set(key, groups.has(key) ? joined(groups.get(key), group) : group)
  }
  return [...groups.values()]
}

function joined(a, b) {
  return { ids: new Set([...a.ids, ...b.ids]), entries: new Set([...a.entries, ...b.entries]), size: a.size + b.size }
}

/** Returns the groups that each group imports, directly or not. */
function importedGroups(groups, importsOf) {
  const groupOf = new Map(groups.flatMap((group) => [...group.ids].map((id) => [id, group])))
  const direct = new Map(
    groups.map((group) => [group, new Set([...group.ids].flatMap(importsOf).map((id) => groupOf.get(id)))]),
  )
  return new Map(
    groups.map((group) => {
      const all = new Set()
      const pending = [group]
      for (let next = pending.pop(); next; next = pending.pop()) {
        for (const other of direct.get(next)) {
          if (!other || other === group || all.has(other)) continue
          all.add(other)
          pending.push(other)
        }
      }
      return [group, all]
    }),
  )
}

/** Adds the entries that load a group because another group imports it. */
function addEntries(groups, imported) {
  for (const group of groups) {
    for (const other of imported.get(group)) for (const entry of group.entries) other.entries.add(entry)
  }
}

/** Returns the two groups whose joining saves most, of the pairs that may be joined. */
function bestPair(groups, imported) {
  let best
  let most = 0
  groups.forEach((a, index) => {
    for (const b of groups.slice(index + 1)) {
      const both = [...a.entries].filter((entry) => b.entries.has(entry)).length
      const saving = both * openingCost
      if (saving <= most || isCircular(imported, a, b)) continue
      const net = saving - costOfLoading(b, imported.get(b), a) - costOfLoading(a, imported.get(a), b)
      if (net > most) {
        best = [a, b]
        most = net
      }
    }
  })
  return best
}

/** Returns true when one of two groups imports the other through a third. */
function isCircular(imported, a, b) {
  const through = (from, to) => [...imported.get(from)].some((group) => group !== to && imported.get(group).has(to))
  return through(a, b) || through(b, a)
}

/** Returns the cost for the entries of a group when it also contains another group, and imports what that one imports. */
function costOfLoading(added, imports, { entries }) {
  let cost = 0
  for (const group of [added, ...imports]) {
    const more = [...entries].filter((entry) => !group.entries.has(entry)).length
    cost += more * (group.size + (group === added ? 0 : openingCost))
  }
  return cost
}
