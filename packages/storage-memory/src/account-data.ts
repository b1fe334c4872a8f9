import { type ByScope, createByScope } from './by-scope.ts'
import { type Documents, shelfKind } from './documents.ts'
import { type MemberSet, memberSetKind } from './members.ts'
import { createQueues, type Queues } from './queues.ts'
import { type Series, seriesKind } from './samples.ts'

/** Everything that one account stores. */
export interface AccountData {
  readonly documents: Documents
  readonly sets: ByScope<MemberSet>
  readonly series: ByScope<Series>
  readonly queues: Queues
}

/** Makes an account that stores nothing yet. */
export function emptyAccount(): AccountData {
  return {
    documents: createByScope(shelfKind),
    sets: createByScope(memberSetKind),
    series: createByScope(seriesKind),
    queues: createQueues(),
  }
}

/** Makes a second account with the same content. The first of the two to change a part copies that part. */
export function forkAccount({ documents, sets, series, queues }: AccountData): AccountData {
  return { documents: documents.fork(), sets: sets.fork(), series: series.fork(), queues: queues.fork() }
}
