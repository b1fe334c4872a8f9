import type { ResourceLevel } from '../address.ts'
import type { SpecifierLevel } from './specifier.ts'
import { compileTextPattern, type RoleAttributes, sampleText, type TextPattern } from './text-pattern.ts'

/** What a specifier asks of a level besides its name, tied to a caller. */
export interface Qualifier {
  /** What of the level it looks at. */
  readonly looksAt: 'tags' | 'properties' | 'views'
  holds(level: ResourceLevel): boolean
  /** What the level would need, in words: "the tag `qa`". */
  readonly wish: string
  /** The level with the wish granted. */
  grant(level: ResourceLevel): ResourceLevel
}

/** Compiles all qualifiers of a level; they hold together or not at all (D15). */
export function compileQualifiers(level: SpecifierLevel, attributes: RoleAttributes): Qualifier[] {
  return [
    ...level.tags.map((tag) => listQualifier('tags', 'tag', tag, attributes)),
    ...level.properties.map(({ name, value }) => propertyQualifier(name, value, attributes)),
    ...level.views.map((view) => listQualifier('views', 'view', view, attributes)),
  ]
}

function listQualifier(
  looksAt: 'tags' | 'views',
  noun: string,
  pattern: TextPattern,
  attributes: RoleAttributes,
): Qualifier {
  const test = compileTextPattern(pattern, attributes)
  return {
    looksAt,
    holds: (level) => level[looksAt]?.some(test) ?? false,
    wish: `the ${noun} \`${pattern.source}\``,
    grant: (level) => ({ ...level, [looksAt]: [...(level[looksAt] ?? []), sampleText(pattern, attributes)] }),
  }
}

/** Compared as text: `{critical:true}` holds for `true`, and a property that is missing equals nothing. */
function propertyQualifier(name: string, pattern: TextPattern, attributes: RoleAttributes): Qualifier {
  const test = compileTextPattern(pattern, attributes)
  return {
    looksAt: 'properties',
    holds: ({ properties }) =>
      properties !== undefined && Object.hasOwn(properties, name) && test(String(properties[name])),
    wish: `the property \`${name}\` as \`${pattern.source}\``,
    grant: (level) => ({ ...level, properties: { ...level.properties, [name]: sampleText(pattern, attributes) } }),
  }
}
