import { createMongoAbility, type MongoAbility, type RawRuleOf, subject } from '@casl/ability'
import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs'
import { compilePolicy, compileRole, decide } from '@halyard/core/policy'
import { compare, type Suite } from '../compare.ts'
import {
  expanded,
  expectedAnswer,
  patternOf,
  type Question,
  questions,
  type Rule,
  resourceOf,
  rules,
  statementOf,
  type Thing,
} from '../policy-world.ts'

/** Measures access decisions by the statements of a role, compared with the same rules in CASL and Cedar. */
export const policy: Suite = {
  name: 'policy',
  about:
    'One run decides 64 queries by 50 statements with wildcards, on compiled policies and without cached decisions; all engines make the same 64 decisions. For CASL, wildcards of names are regular expressions and those of actions are expanded; Cedar runs preparsed in WebAssembly. The build compiles the policy and includes its first 64 decisions.',
  async run() {
    const built = buildOurs()
    const ability = buildCasl()
    const authorize = buildCedar()
    const resources = questions.map(({ action, thing }) => ({ action, resource: resourceOf(thing) }))
    const subjects = questions.map(({ action, thing }) => ({ action, about: subjectOf(thing) }))
    const calls = questions.map(callOf)

    const ready = () => resources.filter(({ action, resource }) => decide(built, action, resource).allowed)
    const perCall = (compiled = built) =>
      questions.filter(({ action, thing }) => decide(compiled, action, resourceOf(thing)).allowed)
    const caslReady = () => subjects.filter(({ action, about }) => ability.can(action, about))
    const caslPerCall = (rulesOfCaller = ability) =>
      questions.filter(({ action, thing }) => rulesOfCaller.can(action, subjectOf(thing)))
    const cedar = () => calls.filter(authorize)

    mustAgree({
      ours: questions.map((_, at) => ready().includes(resources[at] as (typeof resources)[number])),
      'ours, built per call': questions.map((question) => perCall().includes(question)),
      CASL: questions.map((_, at) => caslReady().includes(subjects[at] as (typeof subjects)[number])),
      'CASL, built per call': questions.map((question) => caslPerCall().includes(question)),
      Cedar: calls.map(authorize),
    })
    const contest = (name: string, ours: () => unknown, peerName: string, run: () => unknown) =>
      compare({ suite: 'policy', case: name, ours, peer: { name: peerName, run } })
    return [
      await contest('64 decisions, resource ready', ready, 'CASL, subject ready', caslReady),
      await contest('64 decisions, resource built per call', perCall, 'CASL, subject built per call', caslPerCall),
      await contest('64 decisions, resource ready', ready, 'cedar-wasm, preparsed', cedar),
      await contest(
        'build and first 64 decisions',
        () => perCall(buildOurs()),
        'CASL',
        () => caslPerCall(buildCasl()),
      ),
    ]
  },
}

function mustAgree(answers: Readonly<Record<string, readonly boolean[]>>): void {
  const expected = questions.map(expectedAnswer)
  for (const [engine, given] of Object.entries(answers)) {
    const differs = expected.findIndex((answer, at) => answer !== given[at])
    if (differs >= 0) throw new Error(`${engine} decides differently: ${JSON.stringify(questions[differs])}`)
  }
}

function buildOurs() {
  return compilePolicy([compileRole({ name: 'bench', statements: rules.map(statementOf) })])
}

const nameMembers = ['project', 'environment', 'key'] as const

/** Returns the property that holds the name of a level; for the last level always `key`. */
function memberAt(at: number, levels: number): (typeof nameMembers)[number] {
  return at === levels - 1 ? 'key' : (nameMembers[at] as 'project' | 'environment')
}

/** In CASL the last matching rule wins, so that denials come last. */
function buildCasl(): MongoAbility {
  const denialsLast = rules.toSorted((a, b) => Number(a.effect === 'deny') - Number(b.effect === 'deny'))
  return createMongoAbility(denialsLast.map(caslRule))
}

function caslRule(rule: Rule): RawRuleOf<MongoAbility> {
  const { effect, kind, names, tag, actions } = rule
  const conditions = names.flatMap((name, at) => {
    if (name === '*') return []
    return [[memberAt(at, names.length), name.includes('*') ? { $regex: patternOf(name) } : name] as const]
  })
  return {
    action: actions.includes('*') ? 'manage' : [...expanded(rule)],
    subject: kind,
    inverted: effect === 'deny',
    ...(conditions.length > 0 || tag !== undefined
      ? { conditions: { ...Object.fromEntries(conditions), ...(tag === undefined ? {} : { tags: tag }) } }
      : {}),
  }
}

function namesOf({ keys }: Thing): Record<string, string> {
  return Object.fromEntries(keys.map((key, at) => [memberAt(at, keys.length), key]))
}

function subjectOf(thing: Thing) {
  return subject(thing.kind, { ...namesOf(thing), tags: thing.tags })
}

function buildCedar(): (call: ReturnType<typeof callOf>) => boolean {
  const answer = preparsePolicySet('bench', { staticPolicies: rules.map(cedarPolicy).join('\n') })
  if (answer.type === 'failure') throw new Error(answer.errors.map(({ message }) => message).join())
  return (call) => {
    const decided = statefulIsAuthorized(call)
    if (decided.type === 'failure') throw new Error(decided.errors.map(({ message }) => message).join())
    return decided.response.decision === 'allow'
  }
}

function cedarPolicy(rule: Rule): string {
  const { effect, kind, names, tag, actions } = rule
  const action = actions.includes('*')
    ? 'action'
    : `action in [${expanded(rule)
        .map((name) => `Action::"${name}"`)
        .join(', ')}]`
  const tests = names.map((name, at) => `resource.${memberAt(at, names.length)} like "${name}"`)
  if (tag !== undefined) tests.push(`resource.tags.contains("${tag}")`)
  const word = effect === 'allow' ? 'permit' : 'forbid'
  return `${word} (principal, ${action}, resource is ${kind}) when { ${tests.join(' && ')} };`
}

function callOf({ action, thing }: Question) {
  const uid = { type: thing.kind, id: thing.keys.join(':') }
  return {
    principal: { type: 'User', id: 'bench' },
    action: { type: 'Action', id: action },
    resource: uid,
    context: {},
    preparsedPolicySetId: 'bench',
    entities: [{ uid, attrs: { ...namesOf(thing), tags: [...thing.tags] }, parents: [] }],
  }
}
