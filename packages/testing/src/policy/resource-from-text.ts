import {
  parseSpecifier,
  type Resource,
  type ResourceLevel,
  type SpecifierLevel,
  type TextPattern,
} from '@halyard/core/policy'

/** Attributes of a resource that are not in its text. They belong to the last level. */
export interface ResourceAttributes {
  readonly tags?: readonly string[]
  readonly properties?: Readonly<Record<string, string | number | boolean>>
  /** Keys of the views to which the resource is linked. */
  readonly views?: readonly string[]
}

/**
 * Parses a resource that a query names, in the syntax of policies
 * (docs/decisions/0002-decide-access-by-policy.md#d15-policies): one resource, such as
 * `proj/web:env/test;qa:flag/checkout;beta`, or `*` in place of a key for every resource of that kind. A single
 * resource has exactly the tags, properties and views that are given. Every resource of `flag/*;beta` has at least that
 * tag.
 * @param attributes attributes of the last level, added to those in the text.
 * @throws TypeError when the text names no resource, because a query about no resource would always be `denied`.
 */
export function resourceFromText(text: string, attributes: ResourceAttributes = {}): Resource {
  const specifier = parseSpecifier(text)
  if (typeof specifier === 'string') throw new TypeError(`\`${text}\` ${specifier}`)
  const levels = specifier.levels.map(resourceLevel)
  return [...levels.slice(0, -1), withAttributes(levels.at(-1) as ResourceLevel, attributes)]
}

function resourceLevel({ kind, name, tags, properties, views }: SpecifierLevel): ResourceLevel {
  const isWildcard = name?.parts.length === 1 && name.parts[0]?.kind === 'anything'
  const key = isWildcard ? '*' : name ? plainText(name) : ''
  return withAttributes(
    { kind, key },
    {
      tags: tags.map(plainText),
      properties: Object.fromEntries(properties.map((property) => [property.name, plainText(property.value)])),
      views: views.map(plainText),
    },
  )
}

function plainText({ parts, source }: TextPattern): string {
  const [part] = parts
  if (parts.length === 1 && part?.kind === 'text') return part.text
  throw new TypeError(`\`${source}\` is a pattern: name one key, or use \`*\` for every resource`)
}

function withAttributes(
  level: ResourceLevel,
  { tags = [], properties, views = [] }: ResourceAttributes,
): ResourceLevel {
  return {
    ...level,
    tags: [...(level.tags ?? []), ...tags],
    properties: { ...level.properties, ...properties },
    views: [...(level.views ?? []), ...views],
  }
}
