import { type ApprovableKind, approvableKinds } from '../../../models/approval-requests/approval-request.ts'
import { type Environment, environments } from '../../../models/environments/environment.ts'
import type { ReviewStatus } from '../../../rules/approval/reviews.ts'
import { documents } from '../../../storage/collection.ts'
import type { Condition } from '../../../storage/port.ts'
import type { Reader, Row } from '../../../storage/reader.ts'

/** Environments of all projects, for lists, which include everything under the account. */
const everyEnvironment = documents<Environment>()({ name: environments.name, address: 'env/{environmentKey}' })

/** Indexed fields of an environment with the required number of approvals, by kind of resource. */
const approvalsWanted = { flag: 'flagApprovals', segment: 'segmentApprovals' } as const

const mostEnvironments = 100_000

/**
 * Returns the conditions for each review status, by the current settings. The row of a request contains the counts of
 * its reviews. Environments that require more than one approval are read.
 */
export async function conditionsOfReviewStatus(tx: Reader): Promise<Readonly<Record<ReviewStatus, Condition>>> {
  const { items } = await tx.listRows(
    everyEnvironment,
    {},
    {
      where: [
        { op: 'or', any: approvableKinds.map((kind) => ({ op: 'range', field: approvalsWanted[kind], from: 2 })) },
      ],
      limit: mostEnvironments,
      deep: true,
    },
  )
  const tooFew: Condition = {
    op: 'or',
    any: [{ op: 'range', field: 'approvals', to: 1 }, ...approvableKinds.flatMap((kind) => tooFewOf(kind, items))],
  }
  const declined: Condition = { op: 'range', field: 'declines', from: 1 }
  const undeclined: Condition = { op: 'not', condition: declined }
  return {
    declined,
    pending: { op: 'and', all: [undeclined, tooFew] },
    approved: { op: 'and', all: [undeclined, { op: 'not', condition: tooFew }] },
  }
}

/** Returns one condition for each number of approvals that environments require. */
function tooFewOf(kind: ApprovableKind, rows: readonly Row[]): Condition[] {
  const byNumber = new Map<number, string[]>()
  for (const { scope, key, fields } of rows) {
    const wanted = Number(fields[approvalsWanted[kind]])
    if (wanted > 1) byNumber.set(wanted, [...(byNumber.get(wanted) ?? []), `${scope}:env/${key}`])
  }
  return [...byNumber].map(([wanted, values]) => ({
    op: 'and',
    all: [
      { op: 'equals', field: 'resourceKind', value: kind },
      { op: 'anyOf', field: 'environment', values },
      { op: 'range', field: 'approvals', to: wanted },
    ],
  }))
}
