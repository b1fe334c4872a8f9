import * as v from 'valibot'
import type { AgentText } from '../../models/agent-texts/agent-text.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, key, links, list, name, tags, text } from '../../operation/schema.ts'
import type { Documents, Keys } from '../../storage/collection.ts'
import { maintainerRequest, maintainerResponse, serializeMaintainer } from '../maintainers/maintainer-schema.ts'

/** The text for the model, in a request. */
const content = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(100_000, 'must have at most 100000 characters'))

/**
 * Returns the schemas of the requests and responses of one kind of texts.
 *
 * @param property the property that holds the content, e.g. `markdown`.
 */
export function agentTextSchemas<const Property extends string>(property: Property) {
  const withContent = <S extends v.GenericSchema>(schema: S) => ({ [property]: schema }) as Record<Property, S>
  return {
    request: v.strictObject({
      key: key(),
      name: name(),
      description: v.optional(text(), ''),
      tags: v.optional(tags(), []),
      ...maintainerRequest,
      ...withContent(content()),
    }),
    change: v.strictObject({
      name: v.optional(name()),
      description: v.optional(text()),
      tags: v.optional(tags()),
      comment: v.optional(text()),
      ...maintainerRequest,
      ...withContent(v.optional(content())),
    }),
    response: v.object({
      _links: links(),
      key: v.string(),
      name: v.string(),
      description: v.string(),
      tags: list(v.string()),
      version: v.number(),
      /**
       * Time of creation of this version; an integer, like all times of AI configs
       * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d4-timestamps).
       */
      createdAt: v.number(),
      _maintainer: v.optional(maintainerResponse),
      _access: v.optional(accessDetails()),
      ...withContent(v.string()),
    }),
  }
}

/**
 * Returns the function that serializes texts of one kind, and their earlier revisions.
 *
 * @param property the property that holds the content.
 * @param segment the segment of the path that names the kind, e.g. `skills`.
 */
export function agentTextSerializer<T extends AgentText, A extends string, Property extends keyof T & string>(
  collection: Documents<T, A>,
  property: Property,
  segment: string,
) {
  return async (context: ReadContext, document: T, keys: Keys<A>) => {
    const { key, name, description, tags, revision, createdAt } = document
    const [maintainer, _access] = await Promise.all([
      serializeMaintainer(context, document),
      context.access(collection, keys, document),
    ])
    const parent = path`/api/v2/projects/${(keys as { readonly projectKey: string }).projectKey}/ai-configs/${segment}`
    const _links = selfAndParent(`${parent}${path`/${key}`}`, parent)
    const response = { _links, key, name, description, tags, version: revision, createdAt, ...maintainer, _access }
    return { ...response, [property]: document[property] } as typeof response & Pick<T, Property>
  }
}
