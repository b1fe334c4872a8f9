import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, key, links, list, name, tags, text } from '../../operation/schema.ts'
import type { Documents, Keys } from '../../storage/collection.ts'
import { maintainerRequest, maintainerWire, presentMaintainer } from '../maintainers/maintainer-wire.ts'
import type { AgentText } from './agent-text.ts'

/** What is read by a model, in a request. */
export const content = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(100_000, 'must have at most 100000 characters'))

/** What a caller says to make a text, besides its content. */
export const agentTextRequest = {
  key: key(),
  name: name(),
  description: v.optional(text(), ''),
  tags: v.optional(tags(), []),
  ...maintainerRequest,
}

/** What a caller may change of a text, besides its content. */
export const agentTextChange = {
  name: v.optional(name()),
  description: v.optional(text()),
  tags: v.optional(tags()),
  comment: v.optional(text()),
  ...maintainerRequest,
}

/** What an answer shows of a text, besides its content. */
export const agentTextWire = {
  _links: links(),
  key: v.string(),
  name: v.string(),
  description: v.string(),
  tags: list(v.string()),
  version: v.number(),
  /** When this version was made; an integer, as all times of AI configs (D4). */
  createdAt: v.number(),
  _maintainer: v.optional(maintainerWire),
  _access: v.optional(accessDetails()),
}

/** Shows a text, or one of its earlier revisions, without its content. */
export async function presentAgentText<T extends AgentText, A extends string>(
  context: ReadContext,
  collection: Documents<T, A>,
  document: T,
  keys: Keys<A>,
  parent: string,
) {
  const { key, name, description, tags, revision, createdAt } = document
  const [maintainer, _access] = await Promise.all([
    presentMaintainer(context, document),
    context.access(collection, keys, document),
  ])
  const _links = selfAndParent(`${parent}${path`/${key}`}`, parent)
  return { _links, key, name, description, tags, version: revision, createdAt, ...maintainer, _access }
}
