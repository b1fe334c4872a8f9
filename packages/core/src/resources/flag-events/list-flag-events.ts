import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { changeKindOf, flagChanges } from '../../models/flags/flag-changes.ts'
import { operation } from '../../operation/operation.ts'
import { type Cursor, cursorLinks, cursorQuery, requireOneDirection } from '../../operation/pages/cursor-page.ts'
import { commaList, key, links, list, moment, timestamp } from '../../operation/schema.ts'
import { compareCodePoints } from '../../storage/code-point-order.ts'
import type { Sample } from '../../storage/port.ts'
import { type FlagEvent, flagEvents, impactReasons, impactSizes } from './flag-event.ts'
import { readEvents } from './read-flag-events.ts'

const sources = ['changes', 'events'] as const
const globalOptions = ['include', 'exclude'] as const
const booleans = ['true', 'false'] as const

const flagEventResponse = v.object({
  id: v.string(),
  /** `changes` for changes by callers of this service, `events` for reported events. */
  source: v.picklist(sources),
  flagKey: v.string(),
  eventType: v.string(),
  eventTime: timestamp(),
  applicationKey: v.optional(v.string()),
  impactSize: v.optional(v.picklist(impactSizes)),
  impactPercentage: v.optional(v.number()),
  impactReason: v.optional(v.picklist(impactReasons)),
  hasExperiments: v.boolean(),
  metadata: v.record(v.string(), v.unknown()),
})

type FlagEventResponse = v.InferOutput<typeof flagEventResponse>

const listQuery = v.object({
  projectKey: key(),
  environmentKey: key(),
  flagKey: v.optional(commaList()),
  applicationKey: v.optional(commaList()),
  source: v.optional(v.picklist(sources, `must be one of ${sources.join(', ')}`)),
  impactSize: v.optional(v.picklist(impactSizes, `must be one of ${impactSizes.join(', ')}`)),
  hasExperiments: v.optional(v.picklist(booleans, `must be one of ${booleans.join(', ')}`)),
  /** Includes or excludes events whose `impactReason` is `global`. */
  global: v.optional(v.picklist(globalOptions, `must be one of ${globalOptions.join(', ')}`), 'include'),
  from: v.optional(moment()),
  to: v.optional(moment()),
  ...cursorQuery,
})

type ListQuery = v.InferOutput<typeof listQuery>

interface EventMatch {
  readonly sample: Sample
  readonly response: Omit<FlagEventResponse, 'id' | 'flagKey' | 'eventTime'>
}

const edgeOf = ({ sample: { at, id } }: EventMatch): Cursor => ({ at, key: id })

export const listFlagEvents = operation({
  id: 'listFlagEvents',
  summary: 'List the events of the flags of an environment, newest first: changes and reported events',
  method: 'GET',
  path: '/api/v2/engineering-insights/flag-events',
  beta: 'tagged',
  query: v.pipe(listQuery, requireOneDirection<ListQuery>()),
  success: { status: 200, body: v.object({ items: list(flagEventResponse), _links: links() }) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{query.projectKey}' },
  async handle(context, { query }) {
    const { tx } = context
    const { limit, source, flagKey, from, to, after, before } = query
    const range = { limit: limit + 1, from, to, after, before, ...(flagKey?.length ? { labels: flagKey } : {}) }
    const [environment, changes, events] = await Promise.all([
      tx.get(environments, query),
      source === 'events' || !includesChanges(query)
        ? []
        : readEvents(tx, { series: flagChanges, environmentKeys: query }, range),
      source === 'changes'
        ? []
        : readEvents(tx, { series: flagEvents, environmentKeys: query }, range, eventFilter(query)),
    ])
    if (!environment) context.fail('not_found')
    const matches = [...changes.map(changeMatch), ...events.map(eventMatch)].sort(newestFirst)
    const items = before ? matches.slice(-limit) : matches.slice(0, limit)
    return {
      items: items.map(({ sample: { id, label, at }, response }) => ({
        ...response,
        id,
        flagKey: label,
        eventTime: context.format.time(at),
      })),
      _links: cursorLinks(context.url, query, { items, hasMore: matches.length > limit }, edgeOf),
    }
  },
})

/** Changes by callers of this service have no application, impact or experiment. */
function includesChanges({ applicationKey, impactSize, hasExperiments }: ListQuery): boolean {
  return !applicationKey?.length && impactSize === undefined && hasExperiments !== 'true'
}

/** Returns the filter of reported events; undefined for all. */
function eventFilter(query: ListQuery): ((sample: Sample) => boolean) | undefined {
  const { applicationKey = [], impactSize, hasExperiments, global } = query
  const isEverything = applicationKey.length === 0 && impactSize === undefined && hasExperiments === undefined
  if (isEverything && global === 'include') return undefined
  return (sample) => {
    const event = reportedEvent(sample)
    return (
      (applicationKey.length === 0 || applicationKey.includes(event.applicationKey ?? '')) &&
      (impactSize === undefined || event.impactSize === impactSize) &&
      (hasExperiments === undefined || event.hasExperiments === (hasExperiments === 'true')) &&
      (global === 'include' || event.impactReason !== 'global')
    )
  }
}

type ReportedEvent = Omit<FlagEvent, 'externalId' | 'at' | 'flagKey'>

function reportedEvent({ body }: Sample): ReportedEvent {
  return body as ReportedEvent
}

function changeMatch(sample: Sample): EventMatch {
  return {
    sample,
    response: { source: 'changes', eventType: changeKindOf(sample), hasExperiments: false, metadata: {} },
  }
}

function eventMatch(sample: Sample): EventMatch {
  return { sample, response: { source: 'events', ...reportedEvent(sample) } }
}

function newestFirst({ sample: a }: EventMatch, { sample: b }: EventMatch): number {
  return b.at - a.at || compareCodePoints(b.id, a.id)
}
