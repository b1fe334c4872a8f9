import {
  type CompiledPolicy,
  type Explanation,
  explain,
  parseSpecifier,
  type Resource,
  type ResourceLevel,
  type Specifier,
  type TextPattern,
} from '@halyard/core/policy'

/** Values of role attributes by name. */
export type RoleAttributes = Readonly<Record<string, readonly string[]>>

type RoleCandidates = ReturnType<CompiledPolicy['candidates']>[number]
type CompiledSpecifier = RoleCandidates['allows'][number]['specifiers'][number]

/**
 * Stands for any text in a key. Patterns cannot contain this character, because keys cannot (D8). So a pattern that
 * matches a key with it matches it with a wildcard, and would match any other text in its place.
 */
const ANY_TEXT = '…'

/**
 * Finds a resource on which an action is allowed, among all resources that a resource with the key `*` represents. A
 * decision about `*` is `denied` as soon as one of the represented resources is denied, which does not mean that all
 * are. It is sufficient to test one resource for each allowing specifier, as general as the specifier permits: a deny
 * that matches it matches all. For a deny with `notResources`, resources that the deny excludes are tested too.
 * @param attributes the role attributes with which the policy was compiled.
 * @returns the explanation of the first allowed resource; undefined when there is none, or when no key is `*`.
 */
export function allowedException(
  policy: CompiledPolicy,
  action: string,
  resource: Resource,
  attributes: RoleAttributes,
): Explanation | undefined {
  if (!resource.some(({ key }) => key === '*')) return undefined
  for (const role of policy.candidates(action, resource)) {
    for (const thing of thingsWithin(role, resource, attributes)) {
      const explanation = explain(policy, action, thing)
      if (explanation.allowed) return explanation
    }
  }
  return undefined
}

function thingsWithin({ allows, denies }: RoleCandidates, asked: Resource, attributes: RoleAttributes): Resource[] {
  let things = allows.flatMap(({ statement, specifiers }) =>
    statement.negated ? [asked] : specifiers.flatMap((one) => narrowed(asked, one, asked, attributes)),
  )
  for (const { specifiers } of denies.filter(({ statement }) => statement.negated)) {
    const spared = (thing: Resource) => specifiers.flatMap((one) => narrowed(thing, one, asked, attributes))
    things = things.flatMap((thing) => [thing, ...spared(thing)])
  }
  return things.map((thing) => thing.map((level) => (level.key === '*' ? { ...level, key: ANY_TEXT } : level)))
}

/**
 * Returns the resources of a specifier that a resource represents. Levels whose key is not `*` in the query stay
 * unchanged.
 */
function narrowed(
  resource: Resource,
  specifier: CompiledSpecifier,
  asked: Resource,
  attributes: RoleAttributes,
): Resource[] {
  const { levels } = parseSpecifier(specifier.source) as Specifier
  return specifier.tests.reduce<Resource[]>(
    (things, { at, qualifiers }) => {
      if (asked[at]?.key !== '*') return things
      return things.flatMap((thing) => {
        const level = qualifiers.reduce((granted, one) => one.grant(granted), thing[at] as ResourceLevel)
        const keys = keysWithin(level.key, levels[at]?.name as TextPattern, attributes)
        return keys.map((key) => thing.with(at, { ...level, key }))
      })
    },
    [resource as Resource[number][]],
  )
}

/**
 * Returns the most general keys that a name pattern allows; when a key is already determined, the keys that satisfy
 * both.
 */
function keysWithin(key: string, name: TextPattern, attributes: RoleAttributes): string[] {
  if (name.parts.every((part) => part.kind === 'anything')) return [key]
  const allowed = keysOf(name, attributes)
  if (key === '*') return allowed
  return key.includes(ANY_TEXT) ? allowed.flatMap((one) => [one, key + one, one + key]) : [key]
}

function keysOf({ parts }: TextPattern, attributes: RoleAttributes): string[] {
  return parts.reduce<string[]>(
    (keys, part) => {
      if (part.kind === 'anything') return keys.map((key) => key + ANY_TEXT)
      if (part.kind === 'text') return keys.map((key) => key + part.text)
      const values = Object.hasOwn(attributes, part.name) ? (attributes[part.name] ?? []) : []
      return keys.flatMap((key) => values.map((value) => key + value))
    },
    [''],
  )
}
