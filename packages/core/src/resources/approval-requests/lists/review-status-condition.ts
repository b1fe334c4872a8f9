import { type ApprovableKind, approvableKinds } from '../../../models/approval-requests/approval-request.ts'
import { type Environment, environments } from '../../../models/environments/environment.ts'
import type { ReviewStatus } from '../../../rules/approval/reviews.ts'
import { documents } from '../../../storage/collection.ts'
import type { Condition } from '../../../storage/port.ts'
import type { Reader, Row } from '../../../storage/reader.ts'

/** Environments of all projects, for lists, which include everything under the account. */
const allEnvironments = documents<Environment>()({ name: environments.name, address: 'env/{environmentKey}' })

/** Indexed fields of an environment with the required number of approvals, by kind of resource. */
const requiredApprovalsFields = { flag: 'flagApprovals', segment: 'segmentApprovals' } as const

const maxEnvironments = 100_000

/**
 * Returns the conditions for each review status, by the current settings. The row of a request contains the counts of
 * its reviews. Environments that require more than one approval are read.
 */
export async function conditionsOfReviewStatus(tx: Reader): Promise<Readonly<Record<ReviewStatus, Condition>>> {
  const { items } = await tx.listRows(
    allEnvironments,
    {},
    {
      where: [
        {
          op: 'or',
          any: approvableKinds.map((kind) => ({ op: 'range', field: requiredApprovalsFields[kind], from: 2 })),
        },
      ],
      limit: maxEnvironments,
      deep: true,
    },
  )
  const insufficient: Condition = {
    op: 'or',
    any: [
      { op: 'range', field: 'approvals', to: 1 },
      ...approvableKinds.flatMap((kind) => insufficientFor(kind, items)),
    ],
  }
  const declined: Condition = { op: 'range', field: 'declines', from: 1 }
  const notDeclined: Condition = { op: 'not', condition: declined }
  return {
    declined,
    pending: { op: 'and', all: [notDeclined, insufficient] },
    approved: { op: 'and', all: [notDeclined, { op: 'not', condition: insufficient }] },
  }
}

/** Returns one condition for each number of approvals that environments require. */
function insufficientFor(kind: ApprovableKind, rows: readonly Row[]): Condition[] {
  const byNumber = new Map<number, string[]>()
  for (const { scope, key, fields } of rows) {
    const required = Number(fields[requiredApprovalsFields[kind]])
    if (required > 1) byNumber.set(required, [...(byNumber.get(required) ?? []), `${scope}:env/${key}`])
  }
  return [...byNumber].map(([required, values]) => ({
    op: 'and',
    all: [
      { op: 'equals', field: 'resourceKind', value: kind },
      { op: 'anyOf', field: 'environment', values },
      { op: 'range', field: 'approvals', to: required },
    ],
  }))
}
