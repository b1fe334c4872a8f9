import * as v from 'valibot'
import { metricGroupKinds } from '../../models/metric-groups/metric-group.ts'
import { analysisTypes, metricKinds, successCriteria, unitAggregationTypes } from '../../models/metrics/metric.ts'
import { accessDetails, key, links, list, name, tags, text, timestamp } from '../../operation/schema.ts'
import { maxEventKeyLength } from '../../rules/sdk-protocol/sdk-events.ts'
import { maintainerRequest, maintainerResponse } from '../maintainers/maintainer-schema.ts'

const oneOf = <const Names extends readonly string[]>(names: Names) =>
  v.picklist(names, `must be one of ${names.join(', ')}`)

const eventKey = () =>
  v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(maxEventKeyLength, `must have at most ${maxEventKeyLength} characters`),
  )

const shortText = (length: number) =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(length, `must have at most ${length} characters`))

const finite = () => v.pipe(v.number(), v.finite('must be a finite number'))

/** A comparison with the address of a page. The kind determines which other property is required. */
const urlMatcher = v.pipe(
  v.strictObject({
    kind: oneOf(['exact', 'canonical', 'substring', 'regex']),
    url: v.optional(shortText(2048)),
    substring: v.optional(shortText(2048)),
    pattern: v.optional(shortText(2048)),
  }),
  v.check(({ kind, url, substring, pattern }) => {
    const urlProperties = { url, substring, pattern }
    const needed = kind === 'substring' ? 'substring' : kind === 'regex' ? 'pattern' : 'url'
    return Object.entries(urlProperties).every(([property, value]) => (value !== undefined) === (property === needed))
  }, 'must have `url` for the kinds exact and canonical, `substring` for substring, and `pattern` for regex, and nothing else'),
)

const bounds = v.pipe(
  v.strictObject({ lower: v.optional(finite()), upper: v.optional(finite()) }),
  v.check(({ lower, upper }) => lower !== undefined || upper !== undefined, 'must have a lower or an upper bound'),
  v.check(
    ({ lower, upper }) => lower === undefined || upper === undefined || lower <= upper,
    'must have a lower bound that is not above the upper one',
  ),
)

/** Properties of a metric that a caller may set at creation and by a patch. */
export const metricSettings = v.object({
  name: name(),
  description: text(),
  tags: tags(),
  ...maintainerRequest,
  eventKey: v.optional(eventKey()),
  selector: v.optional(shortText(1000)),
  urls: v.optional(v.pipe(list(urlMatcher), v.maxLength(50, 'must contain at most 50 addresses'))),
  isNumeric: v.boolean(),
  unit: v.optional(shortText(100)),
  successCriteria: oneOf(successCriteria),
  randomizationUnits: v.pipe(
    list(key()),
    v.minLength(1, 'must contain at least 1 unit'),
    v.maxLength(20, 'must contain at most 20 units'),
    v.check((units) => new Set(units).size === units.length, 'must contain each unit once'),
  ),
  unitAggregationType: oneOf(unitAggregationTypes),
  analysisType: oneOf(analysisTypes),
  percentileValue: v.optional(
    v.pipe(finite(), v.gtValue(0, 'must be greater than 0'), v.ltValue(100, 'must be less than 100')),
  ),
  eventDefault: v.strictObject({
    disabled: v.optional(v.boolean(), false),
    value: v.optional(v.literal(0, 'must be 0')),
  }),
  winsorization: v.optional(bounds),
  denominator: v.optional(v.strictObject({ eventKey: eventKey(), isNumeric: v.optional(v.boolean(), false) })),
})

const { entries } = metricSettings

export const metricRequest = v.strictObject({
  ...entries,
  key: key(),
  kind: oneOf(metricKinds),
  name: v.optional(entries.name),
  description: v.optional(entries.description, ''),
  tags: v.optional(entries.tags, []),
  isNumeric: v.optional(entries.isNumeric, false),
  successCriteria: v.optional(entries.successCriteria),
  /** Default: the default unit of the project. */
  randomizationUnits: v.optional(entries.randomizationUnits),
  unitAggregationType: v.optional(entries.unitAggregationType, 'average'),
  analysisType: v.optional(entries.analysisType, 'mean'),
  eventDefault: v.optional(entries.eventDefault, {}),
})

const metricEntries = {
  _id: v.string(),
  /** Changes with each version of the metric. */
  _versionId: v.string(),
  _version: v.number(),
  key: v.string(),
  name: v.string(),
  kind: oneOf(metricKinds),
  description: v.string(),
  tags: list(v.string()),
  _creationDate: timestamp(),
  lastModified: v.object({ date: timestamp() }),
  maintainerId: v.optional(v.string()),
  maintainerTeamKey: v.optional(v.string()),
  _maintainer: v.optional(maintainerResponse),
  isNumeric: v.boolean(),
  successCriteria: oneOf(successCriteria),
  unit: v.optional(v.string()),
  eventKey: v.optional(v.string()),
  selector: v.optional(v.string()),
  urls: v.optional(
    list(
      v.object({
        kind: v.string(),
        url: v.optional(v.string()),
        substring: v.optional(v.string()),
        pattern: v.optional(v.string()),
      }),
    ),
  ),
  randomizationUnits: list(v.string()),
  unitAggregationType: oneOf(unitAggregationTypes),
  analysisType: oneOf(analysisTypes),
  percentileValue: v.optional(v.number()),
  eventDefault: v.object({ disabled: v.boolean(), value: v.optional(v.number()) }),
  winsorization: v.optional(v.object({ lower: v.optional(v.number()), upper: v.optional(v.number()) })),
  denominator: v.optional(v.object({ eventKey: v.string(), isNumeric: v.boolean() })),
  _links: links(),
  _access: v.optional(accessDetails()),
}

/** A metric in a list. */
export const listedMetricResponse = v.object(metricEntries)

const metricObject = v.object({
  ...metricEntries,
  /** True while a running experiment or guarded release measures it. */
  isActive: v.boolean(),
  metricGroupCount: v.number(),
  metricGroups: list(
    v.object({ key: v.string(), name: v.string(), kind: v.picklist(metricGroupKinds), _links: links() }),
  ),
})

/** A metric in a response. */
export interface MetricResponse extends v.InferOutput<typeof metricObject> {}

export const metricResponse: v.GenericSchema<MetricResponse> = metricObject
