import type { ChangeLogEntry, LoggedChange } from '../../operation/change-log/change-log-entry.ts'
import type { Sample } from '../../storage/port.ts'

/** The version of a document before and after a change; 0 where the document does not exist. */
interface VersionStep {
  /** Index of the entry. */
  readonly index: number
  readonly before: number
  readonly after: number
}

/**
 * Returns entries in an order in which no change of a document precedes an earlier one of the same document. The change
 * log itself does not guarantee this, because it orders entries of different processes by their clocks.
 *
 * @param entries the entries in the order of the change log. The function changes this order only where the versions
 *   require it.
 */
export function inOrderOfVersions(entries: readonly Sample[]): readonly Sample[] {
  const documents = new Map<string, VersionStep[]>()
  const earlier = entries.map(({ body }, index) => {
    const { changes } = body as ChangeLogEntry
    return changes.flatMap((change) => {
      const step = versionStep(change, index)
      if (!step) return []
      const name = `${change.kind} ${change.document ?? change.resource}`
      const steps = documents.get(name) ?? []
      documents.set(name, steps)
      return { steps, position: steps.push(step) - 1 }
    })
  })
  const ordered: Sample[] = []
  const visited = new Set<number>()
  function visit(index: number): void {
    if (visited.has(index)) return
    visited.add(index)
    for (const { steps, position } of earlier[index] ?? []) {
      for (const each of basesAfter(steps, position)) visit(each)
    }
    ordered.push(entries[index] as Sample)
  }
  for (const index of entries.keys()) visit(index)
  return ordered
}

/**
 * Returns the entries that the change log places after a step although they wrote the version on which the step is
 * based, or an earlier version. Entries after the deletion of the document are not included.
 */
function basesAfter(steps: readonly VersionStep[], position: number): readonly number[] {
  const { before } = steps[position] as VersionStep
  if (before === 0) return []
  const deletion = steps.findIndex(({ after }, other) => other >= position && after === 0)
  return steps
    .slice(position + 1, deletion < 0 ? steps.length : deletion)
    .filter(({ after }) => after <= before)
    .map(({ index }) => index)
}

function versionStep({ patch, inverse, members }: LoggedChange, index: number): VersionStep | undefined {
  const [before, after] = [versionIn(inverse), versionIn(patch)]
  return members || before === undefined || after === undefined ? undefined : { index, before, after }
}

/** Returns the version that a patch sets; 0 when the patch removes the document, undefined when it sets no version. */
function versionIn(patch: LoggedChange['patch']): number | undefined {
  const [first] = patch
  if (first?.path === '') return 'value' in first ? (first.value as { readonly version: number }).version : 0
  const change = patch.find(({ path }) => path === '/version')
  return change && 'value' in change ? (change.value as number) : undefined
}
