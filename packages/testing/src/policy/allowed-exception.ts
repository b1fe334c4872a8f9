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

/** The values of role attributes by name. */
export type RoleAttributes = Readonly<Record<string, readonly string[]>>

type RoleCandidates = ReturnType<CompiledPolicy['candidates']>[number]
type CompiledSpecifier = RoleCandidates['allows'][number]['specifiers'][number]

/**
 * Stands in a key for what can be any text. No pattern contains it, as no key may (D8); so a pattern that matches a
 * key with it does so by a star, and would match any other text in its place.
 */
const ANY_TEXT = '…'

/**
 * Looks for a thing that an action may be done to, among all that a resource with a key `*` stands for.
 *
 * The other side of asking about `*`: that question is answered `denied` as soon as one thing is out of reach, which
 * does not mean that all of them are. It is enough to look at one thing for each specifier that allows, as general as
 * the specifier lets it be: when a deny reaches that one, it reaches all. Only a deny with `notResources` must also be
 * stepped out of, by things that it spares.
 *
 * @param attributes those that the policy was compiled with.
 * @returns why it is allowed, of the first such thing; undefined when there is none, or no key is `*`.
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

/** The things of a specifier that a resource stands for; levels that were asked about by their key stay as they are. */
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

/** Keys that a name allows, each as general as it can be; where there is a key already, what both have in common. */
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
