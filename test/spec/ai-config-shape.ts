import {
  access,
  boolean,
  integer,
  links,
  listOf,
  number,
  object,
  objectOf,
  oneOf,
  optional,
  type Shape,
  string,
} from './response-shape.ts'

/** Fields that every variation has. */
export const variation: Readonly<Record<string, Shape>> = {
  _links: links('parent'),
  _id: string,
  key: string,
  name: string,
  model: object,
  tools: listOf(objectOf({ customParameters: object, version: integer, key: string })),
  judgeConfiguration: objectOf({ judges: listOf(objectOf({ samplingRate: number, judgeConfigKey: string })) }),
  judgingConfigKeys: listOf(string),
  version: integer,
  state: oneOf('published', 'archived'),
  createdAt: integer,
  _publishedAt: integer,
}

/** Fields that a variation has only if they were set. */
const optionalFields = {
  description: string,
  messages: listOf(objectOf({ role: string, content: string })),
  modelConfigKey: string,
  color: string,
  comment: string,
  _archivedAt: integer,
}
/** A variation with all optional fields. */
export const fullVariation = objectOf({ ...variation, ...optionalFields })

const memberMaintainer = objectOf({
  kind: oneOf('member'),
  _links: links('self'),
  _id: string,
  role: string,
  email: string,
  firstName: string,
  lastName: string,
})

/** Fields that every config has. */
export const commonFields: Readonly<Record<string, Shape>> = {
  _links: links('parent', 'self'),
  description: string,
  evaluationMetricKeys: listOf(string),
  version: integer,
  tags: listOf(string),
  dependencies: listOf(objectOf({ type: oneOf('agent-graph'), key: string })),
  mode: oneOf('agent', 'completion', 'judge'),
  createdAt: integer,
  updatedAt: integer,
  _access: access,
  _maintainer: memberMaintainer,
  variations: listOf(objectOf(variation)),
  name: string,
  key: string,
  isInverted: boolean,
}

const anyVariation = objectOf({
  ...variation,
  ...Object.fromEntries(Object.entries(optionalFields).map(([name, shape]) => [name, optional(shape)])),
  instructions: optional(string),
})

/** A config with any of the optional fields. */
export const anyConfig = objectOf({
  ...commonFields,
  variations: listOf(anyVariation),
  evaluationMetricKey: optional(string),
})
