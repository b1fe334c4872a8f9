import * as v from 'valibot'
import { type Cursor, cursor, cursorLinks } from '../../operation/cursor-page.ts'
import { operation } from '../../operation/operation.ts'
import { commaList, integer, key, links, list, moment, timestamp } from '../../operation/schema.ts'
import { compareCodePoints } from '../../storage/code-point-order.ts'
import type { Sample } from '../../storage/port.ts'
import { environments } from '../environments/environment.ts'
import { changeOf, flagChanges } from '../flags/flag-changes.ts'
import { type FlagEvent, flagEvents, impactSizes } from './flag-event.ts'

const sources = ['changes', 'events'] as const

const flagEventWire = v.object({
  id: v.string(),
  /** `changes` for what was changed here, `events` for what was told. */
  source: v.picklist(sources),
  flagKey: v.string(),
  eventType: v.string(),
  eventTime: timestamp(),
  applicationKey: v.optional(v.string()),
  impactSize: v.optional(v.picklist(impactSizes)),
  hasExperiments: v.boolean(),
  metadata: v.record(v.string(), v.unknown()),
})

type FlagEventAnswer = v.InferOutput<typeof flagEventWire>

interface Found {
  readonly sample: Sample
  readonly shown: Omit<FlagEventAnswer, 'id' | 'flagKey' | 'eventTime'>
}

const edgeOf = ({ sample: { at, id } }: Found): Cursor => ({ at, key: id })

export const listFlagEvents = operation({
  id: 'listFlagEvents',
  summary: 'List what happened to the flags of an environment, newest first: changes, and events that were told',
  method: 'GET',
  path: '/api/v2/engineering-insights/flag-events',
  beta: 'tagged',
  query: v.object({
    projectKey: key(),
    environmentKey: key(),
    flagKey: v.optional(commaList()),
    source: v.optional(v.picklist(sources, `must be one of ${sources.join(', ')}`)),
    from: v.optional(moment()),
    to: v.optional(moment()),
    limit: v.optional(integer(1, 100), 20),
    after: v.optional(cursor()),
  }),
  success: { status: 200, body: v.object({ items: list(flagEventWire), _links: links() }) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{query.projectKey}' },
  async handle(context, { query }) {
    const { tx } = context
    const { limit, source } = query
    const page = { limit: limit + 1, ...rangeOf(query), ...(query.flagKey?.length ? { labels: query.flagKey } : {}) }
    const [environment, changes, events] = await Promise.all([
      tx.get(environments, query),
      source === 'events' ? [] : tx.newest(flagChanges, query, page),
      source === 'changes' ? [] : tx.newest(flagEvents, query, page),
    ])
    if (!environment) context.fail('not_found')
    const found = [...changes.map(shownChange), ...events.map(shownEvent)].sort(newestFirst)
    const items = found.slice(0, limit)
    return {
      items: items.map(({ sample: { id, label, at }, shown }) => ({
        ...shown,
        id,
        flagKey: label,
        eventTime: context.wire.time(at),
      })),
      _links: nextLink(cursorLinks(context.url, query, { items, more: found.length > limit }, edgeOf)),
    }
  },
})

/** A list that is read from its newest end has no way back but the one that the caller came by. */
function nextLink({ prev, ...links }: ReturnType<typeof cursorLinks>): ReturnType<typeof cursorLinks> {
  return links
}

interface RangeQuery {
  readonly from?: number
  readonly to?: number
  readonly after?: Cursor
}

/** The range as storage asks: from a time on, and before a place. */
function rangeOf({ from, to, after }: RangeQuery) {
  const edges = [
    ...(after ? [{ at: after.at, id: after.key }] : []),
    // No sample has an empty id: all of that time are after it.
    ...(to === undefined ? [] : [{ at: to, id: '' }]),
  ].sort((a, b) => a.at - b.at || compareCodePoints(a.id, b.id))
  return { ...(from === undefined ? {} : { from }), ...(edges[0] ? { before: edges[0] } : {}) }
}

function shownChange(sample: Sample): Found {
  return { sample, shown: { source: 'changes', eventType: changeOf(sample), hasExperiments: false, metadata: {} } }
}

function shownEvent(sample: Sample): Found {
  return { sample, shown: { source: 'events', ...(sample.body as Omit<FlagEvent, 'externalId' | 'at' | 'flagKey'>) } }
}

function newestFirst({ sample: a }: Found, { sample: b }: Found): number {
  return b.at - a.at || compareCodePoints(b.id, a.id)
}
