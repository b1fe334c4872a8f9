import {
  parseSpecifier,
  type Resource,
  type ResourceLevel,
  type SpecifierLevel,
  type TextPattern,
} from '@halyard/core/policy'

/** What a thing has besides its key, where that is not in the text; it belongs to the last level. */
export interface About {
  readonly tags?: readonly string[]
  readonly properties?: Readonly<Record<string, string | number | boolean>>
  /** Keys of the views that the thing is linked to. */
  readonly views?: readonly string[]
}

/**
 * Reads what a question about a policy is about, written as policies write it (D15): one thing, such as
 * `proj/web:env/test;qa:flag/checkout;beta`, or `*` in place of a key for every such thing.
 *
 * A thing has the tags, properties and views that are given here and no other; every one of `flag/*;beta` has at
 * least that tag.
 *
 * @param about attributes of the last level, added to those in the text.
 * @throws TypeError when the text names no thing: a question about nothing would be answered `denied` for ever.
 */
export function askedResource(text: string, about: About = {}): Resource {
  const specifier = parseSpecifier(text)
  if (typeof specifier === 'string') throw new TypeError(`\`${text}\` ${specifier}`)
  const levels = specifier.levels.map(levelAsked)
  return [...levels.slice(0, -1), withAttributes(levels.at(-1) as ResourceLevel, about)]
}

function levelAsked({ kind, name, tags, properties, views }: SpecifierLevel): ResourceLevel {
  const everyOne = name?.parts.length === 1 && name.parts[0]?.kind === 'anything'
  const key = everyOne ? '*' : name ? plainText(name) : ''
  return withAttributes(
    { kind, key },
    {
      tags: tags.map(plainText),
      properties: Object.fromEntries(properties.map((one) => [one.name, plainText(one.value)])),
      views: views.map(plainText),
    },
  )
}

function plainText({ parts, source }: TextPattern): string {
  const [part] = parts
  if (parts.length === 1 && part?.kind === 'text') return part.text
  throw new TypeError(`\`${source}\` is a pattern: ask about one key, or about every one with \`*\``)
}

function withAttributes(level: ResourceLevel, { tags = [], properties, views = [] }: About): ResourceLevel {
  return {
    ...level,
    tags: [...(level.tags ?? []), ...tags],
    properties: { ...level.properties, ...properties },
    views: [...(level.views ?? []), ...views],
  }
}
