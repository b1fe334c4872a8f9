import * as v from 'valibot'
import type { Flag } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import { servesOne } from '../../../models/flags/served-variations.ts'
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
export const plainStatusWire = v.object(status)

export const flagStatusWire = v.object({ ...status, _links: links() })

type PlainStatus = v.InferOutput<typeof plainStatusWire>

/** A flag in one environment. */
export interface FlagPlace {
  readonly projectKey: string
  readonly environmentKey: string
  readonly flag: Flag
  readonly config: FlagConfig
}

/** Serializes the statuses of flags, in the order of the arguments. */
export async function presentPlainStatuses(context: ReadContext, places: readonly FlagPlace[]): Promise<PlainStatus[]> {
  const { tx, format } = context
  const now = context.readClock()
  const keys = places.map(({ flag, ...place }) => ({ ...place, flagKey: flag.key }))
  const requested = await lastRequested(tx, keys, now)
  return places.map(({ flag: { createdAt }, config }, at) => {
    const { on, lastModified: changedAt } = config
    const last = requested[at]
    return {
      name: flagStatus({ createdAt, changedAt, on, servesOne: servesOne(config), lastRequested: last }, now),
      lastRequested: typeof last === 'number' ? format.time(last) : null,
    }
  })
}

/** Serializes the statuses of flags, each with links. */
export async function presentStatuses(context: ReadContext, places: readonly FlagPlace[]) {
  const plain = await presentPlainStatuses(context, places)
  return places.map(({ projectKey, environmentKey, flag: { key } }, at) => ({
    ...(plain[at] as PlainStatus),
    _links: selfAndParent(
      path`/api/v2/flag-statuses/${projectKey}/${environmentKey}/${key}`,
      path`/api/v2/flags/${projectKey}/${key}`,
    ),
  }))
}
