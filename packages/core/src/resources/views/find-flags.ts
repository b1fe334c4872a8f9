import { flags } from '../../models/flags/flag.ts'
import type { Condition } from '../../storage/port.ts'
import { flagsInViews } from '../view-filters/in-views.ts'
import type { LinkRequest } from './link-wire.ts'
import { type LinkContext, type Matched, mostMatched, refuseTooMany } from './matched.ts'

/** Finds named and matched flags with one storage request. */
export async function findFlags(
  context: LinkContext,
  projectKey: string,
  { keys = [] }: LinkRequest,
  filter: readonly Condition[] | undefined,
): Promise<Matched> {
  const named: Condition = { op: 'anyOf', field: 'key', values: keys }
  const matched = filter && (await flagsInViews(context, projectKey, filter))
  const where: Condition = matched ? { op: 'or', any: [named, { op: 'and', all: matched }] } : named
  const { items, total } = await context.tx.listRows(flags, { projectKey }, { where: [where], limit: mostMatched })
  refuseTooMany(context, total)
  const there = new Set(items.map(({ key }) => key))
  const missing = [...new Set(keys)].filter((key) => !there.has(key))
  return {
    things: items.map(({ key, version }) => ({ resourceKey: key, version })),
    failed: missing.map((resourceKey) => ({
      resourceKey,
      resourceType: 'flag',
      errorMessage: 'The project has no flag with this key',
    })),
  }
}
