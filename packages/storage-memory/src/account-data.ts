import { type ByScope, createByScope } from './by-scope.ts'
import { type Documents, shelfKind } from './documents.ts'
import { type MemberSet, memberSetKind } from './members.ts'
import { createQueues, type Queues } from './queues.ts'
import { type Series, seriesKind } from './samples.ts'

/** All that one account has. */
export interface AccountData {
  readonly documents: Documents
  readonly sets: ByScope<MemberSet>
  readonly series: ByScope<Series>
  readonly queues: Queues
}

/** An account that has nothing. */
export function emptyAccount(): AccountData {
  return {
    documents: createByScope(shelfKind),
    sets: createByScope(memberSetKind),
    series: createByScope(seriesKind),
    queues: createQueues(),
  }
}

/** A second account with the same content; whichever of the two changes first pays for its copy. */
export function forkAccount({ documents, sets, series, queues }: AccountData): AccountData {
  return { documents: documents.fork(), sets: sets.fork(), series: series.fork(), queues: queues.fork() }
}
