import {
  type ApprovableKind,
  approvableKinds,
  type RequestKind,
} from '../../../models/approval-requests/approval-request.ts'
import { settingsFor } from '../../../models/environments/approval-settings.ts'
import { type Environment, environments } from '../../../models/environments/environment.ts'
import { parseAddress } from '../../../rules/address.ts'
import type { ReviewStatus } from '../../../rules/approval/reviews.ts'
import { documents } from '../../../storage/collection.ts'
import type { Condition } from '../../../storage/port.ts'
import type { Reader } from '../../../storage/reader.ts'

/** Environments addressed without their project, so that one list includes those of all projects. */
const allEnvironments = documents<Environment>()({ name: environments.name, address: 'env/{environmentKey}' })

/** Indexed fields of an environment with the required number of approvals, by kind of resource. */
const requiredApprovalsFields = {
  flag: 'flagApprovals',
  segment: 'segmentApprovals',
  aiconfig: 'aiConfigApprovals',
} as const

const maxEnvironments = 100_000

/** The numbers of approvals that an environment requires. */
interface RequiredApprovals {
  /** Address of the project. */
  readonly project: string
  readonly environmentKey: string
  readonly approvals: Readonly<Record<RequestKind, number>>
}

/**
 * Returns the conditions for each review status, by the current settings. The row of a request contains the counts of
 * its reviews. Only the environments that require more than one approval are read.
 */
export async function conditionsOfReviewStatus(tx: Reader): Promise<Readonly<Record<ReviewStatus, Condition>>> {
  const required = await readRequiredApprovals(tx)
  const insufficient: Condition = {
    op: 'or',
    any: [
      { op: 'range', field: 'approvals', to: 1 },
      ...([...approvableKinds, 'proj'] as const).flatMap((kind) => insufficientFor(kind, required)),
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

async function readRequiredApprovals(tx: Reader): Promise<readonly RequiredApprovals[]> {
  const several = approvableKinds.map(
    (kind): Condition => ({ op: 'range', field: requiredApprovalsFields[kind], from: 2 }),
  )
  const where: readonly Condition[] = [{ op: 'or', any: [...several, withoutField] }]
  const { items } = await tx.listRows(allEnvironments, {}, { where, limit: maxEnvironments, deep: true })
  return Promise.all(
    items.map(async ({ scope, key, fields }) => {
      const approvalsIn = (kind: ApprovableKind) => Number(fields[requiredApprovalsFields[kind]])
      const aiconfig = Object.hasOwn(fields, requiredApprovalsFields.aiconfig)
        ? approvalsIn('aiconfig')
        : await readAIConfigApprovals(tx, scope, key)
      const [flag, segment] = [approvalsIn('flag'), approvalsIn('segment')]
      const approvals = { flag, segment, aiconfig, proj: Math.max(flag, segment, aiconfig) }
      return { project: scope, environmentKey: key, approvals }
    }),
  )
}

/** The rows of environments that were stored before AI configs had approval requests lack the field. */
const withoutField: Condition = {
  op: 'not',
  condition: { op: 'range', field: requiredApprovalsFields.aiconfig, from: 0 },
}

async function readAIConfigApprovals(tx: Reader, project: string, environmentKey: string): Promise<number> {
  const projectKey = parseAddress(project)?.[0]?.key ?? ''
  const environment = await tx.get(environments, { projectKey, environmentKey })
  return environment ? settingsFor(environment, 'aiconfig').minNumApprovals : 1
}

/** Returns one condition for each number of approvals that environments require. */
function insufficientFor(kind: RequestKind, environmentsOfAccount: readonly RequiredApprovals[]): Condition[] {
  const byNumber = new Map<number, string[]>()
  for (const { project, environmentKey, approvals } of environmentsOfAccount) {
    const required = approvals[kind]
    // A request about the contents of an AI config, or a list, needs the approvals of each environment of its project.
    const isOfProject = kind === 'aiconfig' || kind === 'proj'
    const concerned = [`${project}:env/${environmentKey}`, ...(isOfProject ? [project] : [])]
    if (required > 1) byNumber.set(required, [...(byNumber.get(required) ?? []), ...concerned])
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
