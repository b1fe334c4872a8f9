import * as v from 'valibot'
import type { Flag } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import { servesOneVariation } from '../../../models/flags/served-variations.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { path, selfAndParent } from '../../../operation/link.ts'
import { links, timestamp } from '../../../operation/schema.ts'
import { flagStatus, flagStatuses } from '../../../rules/flag-status/flag-status.ts'
import { lastRequested } from './last-requested.ts'

const status = {
  name: v.picklist(flagStatuses),
  lastRequested: v.nullable(timestamp()),
}

/** The status of a flag in an environment, as a part of a response that names both. */
export const plainStatusResponse = v.object(status)

export const flagStatusResponse = v.object({ ...status, _links: links() })

type PlainStatus = v.InferOutput<typeof plainStatusResponse>

/** A flag in one environment. */
export interface FlagInEnvironment {
  readonly projectKey: string
  readonly environmentKey: string
  readonly flag: Flag
  readonly config: FlagConfig
}

/** Serializes the statuses of flags, in the order of the arguments. */
export async function serializePlainStatuses(
  context: ReadContext,
  flagsInEnvironments: readonly FlagInEnvironment[],
): Promise<PlainStatus[]> {
  const { tx, format } = context
  const now = context.readClock()
  const keys = flagsInEnvironments.map(({ flag, ...environmentKeys }) => ({ ...environmentKeys, flagKey: flag.key }))
  const requested = await lastRequested(tx, keys, now)
  return flagsInEnvironments.map(({ flag: { createdAt }, config }, index) => {
    const { on, lastModified: changedAt } = config
    const lastRequestedAt = requested[index]
    return {
      name: flagStatus(
        { createdAt, changedAt, on, servesOne: servesOneVariation(config), lastRequested: lastRequestedAt },
        now,
      ),
      lastRequested: typeof lastRequestedAt === 'number' ? format.time(lastRequestedAt) : null,
    }
  })
}

/** Serializes the statuses of flags, each with links. */
export async function serializeStatuses(context: ReadContext, flagsInEnvironments: readonly FlagInEnvironment[]) {
  const plain = await serializePlainStatuses(context, flagsInEnvironments)
  return flagsInEnvironments.map(({ projectKey, environmentKey, flag: { key } }, index) => ({
    ...(plain[index] as PlainStatus),
    _links: selfAndParent(
      path`/api/v2/flag-statuses/${projectKey}/${environmentKey}/${key}`,
      path`/api/v2/flags/${projectKey}/${key}`,
    ),
  }))
}
