import type { ResourceLevel } from '../address.ts'
import type { SpecifierLevel } from './specifier.ts'
import { compileTextPattern, type RoleAttributes, sampleText, type TextPattern } from './text-pattern.ts'

/** A condition of a specifier on an attribute of a level, in addition to its key, compiled for one caller. */
export interface Qualifier {
  /** Attribute of the level that is tested. */
  readonly attribute: 'tags' | 'properties' | 'views'
  matches(level: ResourceLevel): boolean
  /** The requirement in words: "the tag `qa`". */
  readonly requirement: string
  /** Returns the level changed so that it meets the requirement. */
  grant(level: ResourceLevel): ResourceLevel
}

/**
 * Compiles all qualifiers of a level; a level must match all of them
 * (docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 */
export function compileQualifiers(level: SpecifierLevel, attributes: RoleAttributes): Qualifier[] {
  return [
    ...level.tags.map((tag) => listQualifier('tags', 'tag', tag, attributes)),
    ...level.properties.map(({ name, value }) => propertyQualifier(name, value, attributes)),
    ...level.views.map((view) => listQualifier('views', 'view', view, attributes)),
  ]
}

function listQualifier(
  attribute: 'tags' | 'views',
  noun: string,
  pattern: TextPattern,
  attributes: RoleAttributes,
): Qualifier {
  const test = compileTextPattern(pattern, attributes)
  return {
    attribute,
    matches: (level) => level[attribute]?.some(test) ?? false,
    requirement: `the ${noun} \`${pattern.source}\``,
    grant: (level) => ({ ...level, [attribute]: [...(level[attribute] ?? []), sampleText(pattern, attributes)] }),
  }
}

/** Compares a property as text: `{critical:true}` matches `true`, and an absent property matches nothing. */
function propertyQualifier(name: string, pattern: TextPattern, attributes: RoleAttributes): Qualifier {
  const test = compileTextPattern(pattern, attributes)
  return {
    attribute: 'properties',
    matches: ({ properties }) =>
      properties !== undefined && Object.hasOwn(properties, name) && test(String(properties[name])),
    requirement: `the property \`${name}\` as \`${pattern.source}\``,
    grant: (level) => ({ ...level, properties: { ...level.properties, [name]: sampleText(pattern, attributes) } }),
  }
}
