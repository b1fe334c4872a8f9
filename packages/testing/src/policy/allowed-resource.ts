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
 * Represents any text in a key. Patterns cannot contain this character, because keys cannot
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys). So if a pattern matches a key with this
 * character, a wildcard of the pattern matches the character, and the pattern would match any other text there too.
 */
const ANY_TEXT = '…'

/**
 * Finds a resource on which an action is allowed, among all resources that a resource with the key `*` represents. A
 * decision about `*` is `denied` as soon as one of the represented resources is denied, even if others are allowed. For
 * each allowing specifier, it is sufficient to test one resource that is as general as the specifier permits, because a
 * deny that matches this resource matches all resources of the specifier. For a deny with `notResources`, resources
 * that the deny excludes are tested too.
 * @param attributes the role attributes with which the policy was compiled.
 * @returns the explanation of the first allowed resource; undefined when no resource is allowed, or when no key is `*`.
 */
export function findAllowedResource(
  policy: CompiledPolicy,
  action: string,
  resource: Resource,
  attributes: RoleAttributes,
): Explanation | undefined {
  if (!resource.some(({ key }) => key === '*')) return undefined
  for (const role of policy.candidates(action, resource)) {
    for (const candidate of candidatesOf(role, resource, attributes)) {
      const explanation = explain(policy, action, candidate)
      if (explanation.allowed) return explanation
    }
  }
  return undefined
}

function candidatesOf({ allows, denies }: RoleCandidates, queried: Resource, attributes: RoleAttributes): Resource[] {
  let candidates = allows.flatMap(({ statement, specifiers }) =>
    statement.negated
      ? [queried]
      : specifiers.flatMap((specifier) => narrowToSpecifier(queried, specifier, queried, attributes)),
  )
  for (const { specifiers } of denies.filter(({ statement }) => statement.negated)) {
    const excludedFromDeny = (candidate: Resource) =>
      specifiers.flatMap((specifier) => narrowToSpecifier(candidate, specifier, queried, attributes))
    candidates = candidates.flatMap((candidate) => [candidate, ...excludedFromDeny(candidate)])
  }
  return candidates.map((candidate) =>
    candidate.map((level) => (level.key === '*' ? { ...level, key: ANY_TEXT } : level)),
  )
}

/**
 * Narrows a resource to the resources that a specifier matches. A level whose key is not `*` in the query stays
 * unchanged.
 */
function narrowToSpecifier(
  resource: Resource,
  specifier: CompiledSpecifier,
  queried: Resource,
  attributes: RoleAttributes,
): Resource[] {
  const { levels } = parseSpecifier(specifier.source) as Specifier
  return specifier.tests.reduce<Resource[]>(
    (candidates, { at, qualifiers }) => {
      if (queried[at]?.key !== '*') return candidates
      return candidates.flatMap((candidate) => {
        const level = qualifiers.reduce(
          (satisfied, qualifier) => qualifier.grant(satisfied),
          candidate[at] as ResourceLevel,
        )
        const keys = keysInCommon(level.key, levels[at]?.name as TextPattern, attributes)
        return keys.map((key) => candidate.with(at, { ...level, key }))
      })
    },
    [resource as Resource[number][]],
  )
}

/**
 * Returns the most general keys that a name pattern allows. When a key is already determined, returns the keys that
 * match both the pattern and this key.
 */
function keysInCommon(key: string, name: TextPattern, attributes: RoleAttributes): string[] {
  if (name.parts.every((part) => part.kind === 'anything')) return [key]
  const allowed = keysOf(name, attributes)
  if (key === '*') return allowed
  return key.includes(ANY_TEXT)
    ? allowed.flatMap((allowedKey) => [allowedKey, key + allowedKey, allowedKey + key])
    : [key]
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
