import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Resource, ResourceLevel } from '../address.ts'
import { compilePolicy, compileRole, decide } from './policy.ts'
import { type Statement, statementFaults } from './statement.ts'

/**
 * A second, slow and obvious reading of D15. It works on the parts from which the texts of statements are written,
 * so it shares neither the reading nor the matching of specifiers with the engine.
 */

type Part = { text: string } | { attribute: string } | 'star'
type Name = readonly Part[]

interface Level {
  readonly kind: string
  readonly name: Name
  readonly tags: readonly Name[]
  readonly properties: readonly (readonly [name: string, value: Name])[]
  readonly views: readonly Name[]
}

interface Rule {
  readonly effect: 'allow' | 'deny'
  readonly not: boolean
  readonly specifiers: readonly (readonly Level[])[]
  readonly notActions: boolean
  readonly actions: readonly Name[]
}

type Role = readonly Rule[]
type Values = Readonly<Record<string, readonly string[]>>

// How the parts are written.

function writeName(name: Name): string {
  return name.map(writePart).join('')
}

function writePart(one: Part): string {
  if (one === 'star') return '*'
  return 'text' in one ? percentEncoded(one.text) : `\${roleAttribute/${one.attribute}}`
}

function percentEncoded(text: string): string {
  return [...text].map((c) => (/[a-z]/i.test(c) ? c : `%${c.charCodeAt(0).toString(16)}`)).join('')
}

function writeLevel({ kind, name, tags, properties, views }: Level): string {
  const qualifiers = [
    ...(tags.length > 0 ? [tags.map(writeName).join(',')] : []),
    ...properties.map(([property, value]) => `{${property}:${writeName(value)}}`),
    ...views.map((view) => `view:${writeName(view)}`),
  ]
  return [kind === 'acct' ? 'acct' : `${kind}/${writeName(name)}`, ...qualifiers].join(';')
}

function writeRule(rule: Rule): Statement {
  const specifiers = rule.specifiers.map((levels) => levels.map(writeLevel).join(':'))
  const actions = rule.actions.map(writeName)
  return {
    effect: rule.effect,
    [rule.not ? 'notResources' : 'resources']: specifiers,
    [rule.notActions ? 'notActions' : 'actions']: actions,
  }
}

// What they mean.

function holdsFor(name: Name, text: string, values: Values): boolean {
  const [part, ...rest] = name
  if (part === undefined) return text === ''
  if (part === 'star') return holdsFor(rest, text, values) || (text !== '' && holdsFor(name, text.slice(1), values))
  const choices = 'text' in part ? [part.text] : (values[part.attribute] ?? [])
  return choices.some((choice) => text.startsWith(choice) && holdsFor(rest, text.slice(choice.length), values))
}

function levelHolds(level: Level, at: ResourceLevel, values: Values): boolean {
  const { key, tags = [], properties = {}, views = [] } = at
  return (
    (key === '*' ? level.name.every((one) => one === 'star') : holdsFor(level.name, key, values)) &&
    level.tags.every((tag) => tags.some((one) => holdsFor(tag, one, values))) &&
    level.properties.every(([one, value]) =>
      Object.entries(properties).some(([given, is]) => given === one && holdsFor(value, `${is}`, values)),
    ) &&
    level.views.every((view) => views.some((one) => holdsFor(view, one, values)))
  )
}

function names(levels: readonly Level[], resource: Resource, values: Values, partly: boolean): boolean {
  if (levels.length !== resource.length) return false
  return levels.every((level, i) => {
    const at = resource[i] as ResourceLevel
    return level.kind === at.kind && ((partly && at.key === '*') || levelHolds(level, at, values))
  })
}

function speaks(rule: Rule, action: string, resource: Resource, values: Values): boolean {
  const partly = rule.not ? rule.effect === 'allow' : rule.effect === 'deny'
  const named = rule.specifiers.some((levels) => names(levels, resource, values, partly))
  const actionNamed = rule.actions.some((one) => holdsFor(one, action, {}))
  return named !== rule.not && actionNamed !== rule.notActions
}

function verdict(roles: readonly Role[], action: string, resource: Resource, values: Values) {
  const spoken = roles.map((role) =>
    role.flatMap((rule, index) => (speaks(rule, action, resource, values) ? [{ effect: rule.effect, index }] : [])),
  )
  const denies = spoken.map((role) => role.find((one) => one.effect === 'deny'))
  const allows = spoken.map((role, r) => (denies[r] ? undefined : role.find((one) => one.effect === 'allow')))
  const decisive = [...allows.entries(), ...denies.entries()].find(([, one]) => one !== undefined)
  if (!decisive) return { allowed: false, role: undefined, index: undefined }
  return { allowed: decisive[1]?.effect === 'allow', role: `role ${decisive[0]}`, index: decisive[1]?.index }
}

// Small worlds, so that things meet: three letters, reserved characters in keys, five shapes.

const shapes = [['acct'], ['team'], ['proj'], ['proj', 'env'], ['proj', 'env', 'flag']] as const
const texts = ['a', 'b', 'ab', 'aab', 'ba', 'a*', 'a:b', 'a;b', 'env/a', 'a%2A']
const attributeNames = ['one', 'two', 'none']

const text = fc.constantFrom(...texts)
const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Part>('star') },
  { weight: 4, arbitrary: text.map((one) => ({ text: one })) },
  { weight: 1, arbitrary: fc.constantFrom(...attributeNames).map((attribute) => ({ attribute })) },
)
const name: fc.Arbitrary<Name> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Name>(['star']) },
  { weight: 3, arbitrary: fc.array(part, { minLength: 1, maxLength: 5 }) },
)
const few = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant<T[]>([]) }, fc.array(one, { minLength: 1, maxLength: 2 }))
const propertyName = fc.constantFrom('critical', 'toString')

function level(kind: string): fc.Arbitrary<Level> {
  return fc.record({
    kind: fc.constant(kind),
    name: kind === 'acct' ? fc.constant<Name>(['star']) : name,
    tags: few(name),
    properties: few(fc.tuple(propertyName, fc.oneof(name, fc.constant<Name>([{ text: 'true' }])))),
    views: few(name),
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

const rule: fc.Arbitrary<Rule> = fc.record({
  effect: fc.constantFrom('allow', 'allow', 'deny'),
  not: fc.constantFrom(false, false, false, true),
  specifiers: fc.array(specifier, { minLength: 1, maxLength: 3 }),
  notActions: fc.constantFrom(false, false, false, true),
  actions: fc.array(actionName, { minLength: 1, maxLength: 2 }),
})
const role: fc.Arbitrary<Role> = fc.array(rule, { maxLength: 5 })
const roles = fc.array(role, { maxLength: 3 })
const fewTexts = fc.array(text, { maxLength: 2 })
const values: fc.Arbitrary<Values> = fc.record({ one: fewTexts, two: fewTexts })

function resourceLevel(kind: string, key: fc.Arbitrary<string>): fc.Arbitrary<ResourceLevel> {
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
const resource: fc.Arbitrary<Resource> = fc
  .constantFrom(...shapes)
  .chain((kinds) => fc.tuple(...kinds.map((kind) => resourceLevel(kind, anyKey))))
const anyAction = fc.constantFrom(...actions)
const request = fc.record({ action: anyAction, resource })

function compile(all: readonly Role[], roleAttributes: Values) {
  return compilePolicy(
    all.map((rules, i) => compileRole({ name: `role ${i}`, statements: rules.map(writeRule) }, { roleAttributes })),
  )
}

function allows(all: readonly Role[], attributes: Values, asked: { action: string; resource: Resource }): boolean {
  return decide(compile(all, attributes), asked.action, asked.resource).allowed
}

describe('the engine and the model', () => {
  it('agree on 100,000 decisions, and on who decided', () => {
    const seen = { allowed: 0, denied: 0, byDefault: 0 }
    fc.assert(
      fc.property(roles, values, fc.array(request, { minLength: 50, maxLength: 50 }), (all, attributes, requests) => {
        const policy = compile(all, attributes)
        for (const { action, resource: about } of requests) {
          const { allowed, role: by, index } = decide(policy, action, about)
          expect({ allowed, role: by, index }).toEqual(verdict(all, action, about, attributes))
          seen[allowed ? 'allowed' : by ? 'denied' : 'byDefault']++
        }
      }),
      { numRuns: 2000 },
    )
    expect(seen.allowed + seen.denied + seen.byDefault).toBe(100_000)
    // A generator that never meets a rule would agree as well.
    expect(Math.min(seen.allowed, seen.denied)).toBeGreaterThan(5000)
  }, 60_000)

  it('agree that every generated statement is well-formed', () => {
    fc.assert(
      fc.property(role, (rules) => {
        expect(statementFaults(rules.map(writeRule))).toEqual([])
      }),
    )
  })
})

describe('laws', { timeout: 30_000 }, () => {
  const many = { numRuns: 2000 }

  it('a deny wins inside its role', () => {
    fc.assert(
      fc.property(role, rule, values, request, (rules, one, attributes, asked) => {
        const deny: Rule = { ...one, effect: 'deny' }
        fc.pre(speaks(deny, asked.action, asked.resource, attributes))
        expect(allows([[...rules, deny]], attributes, asked)).toBe(false)
      }),
      many,
    )
  })

  it('the order of statements and of roles changes no answer', () => {
    fc.assert(
      fc.property(roles, values, request, (all, attributes, asked) => {
        const reversed = all.map((rules) => rules.toReversed()).toReversed()
        expect(allows(reversed, attributes, asked)).toBe(allows(all, attributes, asked))
      }),
      many,
    )
  })

  it('adding a role never takes anything away', () => {
    fc.assert(
      fc.property(roles, role, values, request, (all, added, attributes, asked) => {
        if (allows(all, attributes, asked)) expect(allows([added, ...all], attributes, asked)).toBe(true)
      }),
      many,
    )
  })

  it('adding an allow never takes anything away, adding a deny never gives anything', () => {
    fc.assert(
      fc.property(role, rule, values, request, (rules, added, attributes, asked) => {
        const before = allows([rules], attributes, asked)
        const after = allows([[...rules, added]], attributes, asked)
        expect(added.effect === 'allow' ? after || !before : before || !after).toBe(true)
      }),
      many,
    )
  })

  it('resources and notResources of one list are opposites, where no key stands for all', () => {
    fc.assert(
      fc.property(rule, values, request, (one, attributes, asked) => {
        fc.pre(asked.resource.every((at) => at.key !== '*'))
        const everyAction = { ...one, effect: 'allow', notActions: false, actions: [['star']] } satisfies Rule
        const [direct, opposite] = [false, true].map((not) => allows([[{ ...everyAction, not }]], attributes, asked))
        expect(direct).toBe(!opposite)
      }),
      many,
    )
  })

  it('a wildcard never reaches another level', () => {
    fc.assert(
      fc.property(resource, fc.constantFrom(...shapes), (about, kinds) => {
        const all: Level[] = kinds.map((kind) => ({ kind, name: ['star'], tags: [], properties: [], views: [] }))
        const wide: Rule = { effect: 'allow', not: false, specifiers: [all], notActions: false, actions: [['star']] }
        const same = kinds.join() === about.map((at) => at.kind).join()
        expect(allows([[wide]], {}, { action: 'updateOn', resource: about })).toBe(same)
      }),
      many,
    )
  })

  it('who may do something everywhere may do it in every place, whatever its attributes', () => {
    const everywhere = fc.constantFrom(...shapes.slice(1)).chain((kinds) =>
      fc.record({
        whole: fc.constant(kinds.map((kind) => ({ kind, key: '*' }))),
        place: fc.tuple(...kinds.map((kind) => resourceLevel(kind, text))),
      }),
    )
    fc.assert(
      fc.property(roles, values, everywhere, anyAction, (all, attributes, { whole, place }, action) => {
        if (allows(all, attributes, { action, resource: whole })) {
          expect(allows(all, attributes, { action, resource: place })).toBe(true)
        }
      }),
      many,
    )
  })
})
