import fc from 'fast-check'
import type { Resource, ResourceLevel } from '../../address.ts'
import type { Level, Name, Part, Role, Rule, Values } from './policy-model.ts'

// The sets of values are small, so that rules and resources often match: a few letters, reserved characters in keys,
// five shapes.

/** Kinds of the levels of resources. */
export const shapes = [['acct'], ['team'], ['proj'], ['proj', 'env'], ['proj', 'env', 'flag']] as const
const texts = ['a', 'b', 'ab', 'aab', 'ba', 'a*', 'a:b', 'a;b', 'env/a', 'a%2A']
const attributeNames = ['one', 'two', 'none']

/** Random keys, tags and values, from a small set. */
export const text = fc.constantFrom(...texts)
const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Part>('star') },
  { weight: 4, arbitrary: text.map((value) => ({ text: value })) },
  { weight: 1, arbitrary: fc.constantFrom(...attributeNames).map((attribute) => ({ attribute })) },
)
const name: fc.Arbitrary<Name> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Name>(['star']) },
  { weight: 3, arbitrary: fc.array(part, { minLength: 1, maxLength: 5 }) },
)
const upToTwo = <T>(item: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant<T[]>([]) }, fc.array(item, { minLength: 1, maxLength: 2 }))
const propertyName = fc.constantFrom('critical', 'toString')

function level(kind: string): fc.Arbitrary<Level> {
  return fc.record({
    kind: fc.constant(kind),
    name: kind === 'acct' ? fc.constant<Name>(['star']) : name,
    tags: upToTwo(name),
    properties: upToTwo(fc.tuple(propertyName, fc.oneof(name, fc.constant<Name>([{ text: 'true' }])))),
    views: upToTwo(name),
  })
}

const specifier = fc.constantFrom(...shapes).chain((kinds) => fc.tuple(...kinds.map(level)))
const actions = ['updateOn', 'updateName', 'viewTeam']
const actionName: fc.Arbitrary<Name> = fc.constantFrom<Name>(
  ['star'],
  [{ text: 'updateOn' }],
  [{ text: 'update' }, 'star'],
  ['star', { text: 'e' }, 'star', { text: 'm' }, 'star'],
)

/** Generates statements. */
export const rule: fc.Arbitrary<Rule> = fc.record({
  effect: fc.constantFrom('allow', 'allow', 'deny'),
  not: fc.constantFrom(false, false, false, true),
  specifiers: fc.array(specifier, { minLength: 1, maxLength: 3 }),
  notActions: fc.constantFrom(false, false, false, true),
  actions: fc.array(actionName, { minLength: 1, maxLength: 2 }),
})
/** Random roles with few statements. */
export const role: fc.Arbitrary<Role> = fc.array(rule, { maxLength: 5 })
/** Random roles of one caller. */
export const roles = fc.array(role, { maxLength: 3 })
const fewTexts = fc.array(text, { maxLength: 2 })
/** Random values of role attributes; the attribute `none` has no values. */
export const values: fc.Arbitrary<Values> = fc.record({ one: fewTexts, two: fewTexts })

/** Random levels of a resource, with or without the attributes that policies can test. */
export function resourceLevel(kind: string, key: fc.Arbitrary<string>): fc.Arbitrary<ResourceLevel> {
  return fc.record(
    {
      kind: fc.constant(kind),
      key: kind === 'acct' ? fc.constant('') : key,
      tags: fc.array(text, { maxLength: 3 }),
      properties: fc.oneof(fc.constant({}), fc.record({ critical: fc.oneof(fc.boolean(), text) })),
      views: fc.array(text, { maxLength: 2 }),
    },
    { requiredKeys: ['kind', 'key'] },
  )
}

const anyKey = fc.oneof({ weight: 6, arbitrary: text }, { weight: 1, arbitrary: fc.constant('*') })
/** Random resources, of which a level may be a wildcard. */
export const resource: fc.Arbitrary<Resource> = fc
  .constantFrom(...shapes)
  .chain((kinds) => fc.tuple(...kinds.map((kind) => resourceLevel(kind, anyKey))))
/** Random actions that rules may contain. */
export const anyAction = fc.constantFrom(...actions)
/** Random inputs of a decision. */
export const request = fc.record({ action: anyAction, resource })
