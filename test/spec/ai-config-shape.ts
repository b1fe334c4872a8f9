import {
  access,
  boolean,
  integer,
  links,
  listOf,
  members,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  string,
} from './answer-shape.ts'

/** Fields that every variation has. */
export const variation: Readonly<Record<string, Shape>> = {
  _links: links('parent'),
  _id: string,
  key: string,
  name: string,
  model: object,
  tools: listOf(members({ customParameters: object, version: integer, key: string })),
  judgeConfiguration: members({ judges: listOf(members({ samplingRate: number, judgeConfigKey: string })) }),
  judgingConfigKeys: listOf(string),
  version: integer,
  state: oneOf('published', 'archived'),
  createdAt: integer,
  _publishedAt: integer,
}

/** Fields that a variation has only if they were set. */
const said = {
  description: string,
  messages: listOf(members({ role: string, content: string })),
  modelConfigKey: string,
  color: string,
  comment: string,
  _archivedAt: integer,
}
/** A variation with all optional fields. */
export const fullVariation = members({ ...variation, ...said })

const memberMaintainer = members({
  kind: oneOf('member'),
  _links: links('self'),
  _id: string,
  role: string,
  email: string,
  firstName: string,
  lastName: string,
})

/** Fields that every config has. */
export const always: Readonly<Record<string, Shape>> = {
  _links: links('parent', 'self'),
  description: string,
  evaluationMetricKeys: listOf(string),
  version: integer,
  tags: listOf(string),
  dependencies: listOf(members({ type: oneOf('agent-graph'), key: string })),
  mode: oneOf('agent', 'completion', 'judge'),
  createdAt: integer,
  updatedAt: integer,
  _access: access,
  _maintainer: memberMaintainer,
  variations: listOf(members(variation)),
  name: string,
  key: string,
  isInverted: boolean,
}

const anyVariation = members({
  ...variation,
  ...Object.fromEntries(Object.entries(said).map(([name, shape]) => [name, optional(shape)])),
  instructions: optional(string),
})

/** A config with any of the optional fields. */
export const anyConfig = members({
  ...always,
  variations: listOf(anyVariation),
  evaluationMetricKey: optional(string),
})
