import { createMongoAbility, type MongoAbility, type RawRuleOf, subject } from '@casl/ability'
import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs'
import { compilePolicy, compileRole, decide } from '@halyard/core/policy'
import { compare, type Suite } from '../compare.ts'
import {
  type AccessQuery,
  expandActions,
  expectedDecision,
  type PolicyResource,
  patternOf,
  queries,
  type Rule,
  resourceOf,
  rules,
  statementOf,
} from '../policy-fixture.ts'

/** Measures access decisions by the statements of a role, compared with the same rules in CASL and Cedar. */
export const policy: Suite = {
  name: 'policy',
  about:
    'One run decides 64 queries by 50 statements with wildcards, on compiled policies and without cached decisions; all engines make the same 64 decisions. For CASL, wildcards of names are regular expressions and those of actions are expanded; Cedar runs preparsed in WebAssembly. The build compiles the policy and includes its first 64 decisions.',
  async run() {
    const compiledPolicy = buildOurs()
    const ability = buildCasl()
    const authorize = buildCedar()
    const resources = queries.map(({ action, resource }) => ({ action, resource: resourceOf(resource) }))
    const subjects = queries.map(({ action, resource }) => ({ action, about: subjectOf(resource) }))
    const calls = queries.map(callOf)

    const ready = () => resources.filter(({ action, resource }) => decide(compiledPolicy, action, resource).allowed)
    const perCall = (compiled = compiledPolicy) =>
      queries.filter(({ action, resource }) => decide(compiled, action, resourceOf(resource)).allowed)
    const caslReady = () => subjects.filter(({ action, about: target }) => ability.can(action, target))
    const caslPerCall = (rulesOfCaller = ability) =>
      queries.filter(({ action, resource }) => rulesOfCaller.can(action, subjectOf(resource)))
    const cedar = () => calls.filter(authorize)

    assertSameDecisions({
      ours: queries.map((_, index) => ready().includes(resources[index] as (typeof resources)[number])),
      'ours, built per call': queries.map((query) => perCall().includes(query)),
      CASL: queries.map((_, index) => caslReady().includes(subjects[index] as (typeof subjects)[number])),
      'CASL, built per call': queries.map((query) => caslPerCall().includes(query)),
      Cedar: calls.map(authorize),
    })
    const comparison = (name: string, ours: () => unknown, peerName: string, run: () => unknown) =>
      compare({ suite: 'policy', case: name, ours, peer: { name: peerName, run } })
    return [
      await comparison('64 decisions, resource ready', ready, 'CASL, subject ready', caslReady),
      await comparison('64 decisions, resource built per call', perCall, 'CASL, subject built per call', caslPerCall),
      await comparison('64 decisions, resource ready', ready, 'cedar-wasm, preparsed', cedar),
      await comparison(
        'build and first 64 decisions',
        () => perCall(buildOurs()),
        'CASL',
        () => caslPerCall(buildCasl()),
      ),
    ]
  },
}

function assertSameDecisions(decisionsByEngine: Readonly<Record<string, readonly boolean[]>>): void {
  const expected = queries.map(expectedDecision)
  for (const [engine, decisions] of Object.entries(decisionsByEngine)) {
    const firstDifference = expected.findIndex((result, index) => result !== decisions[index])
    if (firstDifference >= 0)
      throw new Error(`${engine} decides differently: ${JSON.stringify(queries[firstDifference])}`)
  }
}

function buildOurs() {
  return compilePolicy([compileRole({ name: 'bench', statements: rules.map(statementOf) })])
}

const nameProperties = ['project', 'environment', 'key'] as const

/** Returns the property that contains the name of a level. For the last level it is always `key`. */
function namePropertyAt(index: number, levels: number): (typeof nameProperties)[number] {
  return index === levels - 1 ? 'key' : (nameProperties[index] as 'project' | 'environment')
}

/** In CASL the last matching rule decides, so denials come last. */
function buildCasl(): MongoAbility {
  const denialsLast = rules.toSorted((a, b) => Number(a.effect === 'deny') - Number(b.effect === 'deny'))
  return createMongoAbility(denialsLast.map(caslRule))
}

function caslRule(rule: Rule): RawRuleOf<MongoAbility> {
  const { effect, kind, names, tag, actions } = rule
  const conditions = names.flatMap((name, index) => {
    if (name === '*') return []
    return [[namePropertyAt(index, names.length), name.includes('*') ? { $regex: patternOf(name) } : name] as const]
  })
  return {
    action: actions.includes('*') ? 'manage' : [...expandActions(rule)],
    subject: kind,
    inverted: effect === 'deny',
    ...(conditions.length > 0 || tag !== undefined
      ? { conditions: { ...Object.fromEntries(conditions), ...(tag === undefined ? {} : { tags: tag }) } }
      : {}),
  }
}

function namesOf({ keys }: PolicyResource): Record<string, string> {
  return Object.fromEntries(keys.map((key, index) => [namePropertyAt(index, keys.length), key]))
}

function subjectOf(resource: PolicyResource) {
  return subject(resource.kind, { ...namesOf(resource), tags: resource.tags })
}

function buildCedar(): (call: ReturnType<typeof callOf>) => boolean {
  const result = preparsePolicySet('bench', { staticPolicies: rules.map(cedarPolicy).join('\n') })
  if (result.type === 'failure') throw new Error(result.errors.map(({ message }) => message).join())
  return (call) => {
    const decision = statefulIsAuthorized(call)
    if (decision.type === 'failure') throw new Error(decision.errors.map(({ message }) => message).join())
    return decision.response.decision === 'allow'
  }
}

function cedarPolicy(rule: Rule): string {
  const { effect, kind, names, tag, actions } = rule
  const action = actions.includes('*')
    ? 'action'
    : `action in [${expandActions(rule)
        .map((name) => `Action::"${name}"`)
        .join(', ')}]`
  const tests = names.map((name, index) => `resource.${namePropertyAt(index, names.length)} like "${name}"`)
  if (tag !== undefined) tests.push(`resource.tags.contains("${tag}")`)
  const word = effect === 'allow' ? 'permit' : 'forbid'
  return `${word} (principal, ${action}, resource is ${kind}) when { ${tests.join(' && ')} };`
}

function callOf({ action, resource }: AccessQuery) {
  const uid = { type: resource.kind, id: resource.keys.join(':') }
  return {
    principal: { type: 'User', id: 'bench' },
    action: { type: 'Action', id: action },
    resource: uid,
    context: {},
    preparsedPolicySetId: 'bench',
    entities: [{ uid, attrs: { ...namesOf(resource), tags: [...resource.tags] }, parents: [] }],
  }
}
