import { series } from '../../storage/collection.ts'
import type { Reader } from '../../storage/reader.ts'

/** The commit with which the last reference to a flag left a branch. */
export interface Extinction {
  readonly branch: string
  readonly revision: string
  readonly message: string
  readonly time: number
  readonly flagKey: string
  readonly projKey: string
}

/** Labelled by flag key; at the repository, so that one question finds those of all its branches. */
export const extinctions = series({ name: 'code-reference-extinctions', address: 'code-reference-repository/{repo}' })

/** One flag leaves one branch once with a commit: told again it is the same event. */
export function extinctionId({ branch, revision, flagKey, projKey }: Extinction): string {
  return JSON.stringify([projKey, flagKey, revision, branch])
}

export interface ExtinctionFilter {
  /** Inclusive, ms. */
  readonly from: number
  /** Exclusive, ms. */
  readonly to: number
  readonly branchName?: string
  readonly projKey?: string
  readonly flagKey?: string
}

const chunk = 1000

/** The extinctions of a repository that pass the filter, newest first. */
export async function findExtinctions(tx: Reader, repo: string, filter: ExtinctionFilter): Promise<Extinction[]> {
  const found: Extinction[] = []
  const labels = filter.flagKey === undefined ? undefined : [filter.flagKey]
  // No id comes before the empty one, so this cursor stands before all that happened at `to`.
  for (let before = { at: filter.to, id: '' }; ; ) {
    const samples = await tx.newest(extinctions, { repo }, { limit: chunk, before, labels })
    const inRange = samples.filter((sample) => sample.at >= filter.from)
    found.push(...inRange.map((sample) => sample.body as Extinction).filter((one) => passes(one, filter)))
    const last = inRange.at(-1)
    if (!last || inRange.length < chunk) return found
    before = { at: last.at, id: last.id }
  }
}

function passes(extinction: Extinction, { branchName, projKey }: ExtinctionFilter): boolean {
  return (
    (branchName === undefined || extinction.branch === branchName) &&
    (projKey === undefined || extinction.projKey === projKey)
  )
}
