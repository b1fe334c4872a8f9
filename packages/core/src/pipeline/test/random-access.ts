import fc from 'fast-check'
import type { ApiError, Engine } from '../../index.ts'
import { actionsOf, type LevelRule, lifeActions, type Rule } from './access-model.ts'

// Policies for a small account, so that rules often match its resources.

export const projectKeys = ['web', 'api']
export const environmentKeys = ['production', 'test']
export const flagKeys = ['f', 'g']
const segmentKeys = ['s', 't']
const tag = fc.constantFrom('a', 'b')
const seldom = <T>(one: fc.Arbitrary<T>) => fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, one)

function levelRule(kind: string, keys: readonly string[]): fc.Arbitrary<LevelRule> {
  const written = fc.constantFrom(...keys, `${(keys[0] as string).charAt(0)}*`)
  return fc.record({
    kind: fc.constant(kind),
    name: fc.oneof({ weight: 3, arbitrary: fc.constant('*') }, { weight: 2, arbitrary: written }),
    tag: seldom(tag),
    critical: kind === 'env' ? seldom(fc.boolean()) : fc.constant(undefined),
  })
}

const project = levelRule('proj', projectKeys)
const environment = levelRule('env', environmentKeys)
const resources = fc.oneof(
  fc.tuple(project),
  fc.tuple(project, environment),
  { weight: 4, arbitrary: fc.tuple(project, environment, levelRule('flag', flagKeys)) },
  { weight: 2, arbitrary: fc.tuple(project, environment, levelRule('segment', segmentKeys)) },
)
const updates = [...new Set(Object.values(actionsOf).flatMap((one) => Object.values<string>(one)))]
const lives = Object.values(lifeActions).flat()
const action = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('*', 'update*') },
  { weight: 3, arbitrary: fc.constantFrom(...updates, ...lives) },
  { weight: 1, arbitrary: fc.constantFrom('create*', 'delete*', 'updateT*') },
)

const rule: fc.Arbitrary<Rule> = fc.record({
  effect: fc.constantFrom('allow', 'allow', 'deny'),
  not: fc.constantFrom(false, false, false, false, true),
  resources: fc.array(resources, { minLength: 1, maxLength: 3 }),
  notActions: fc.constantFrom(false, false, false, true),
  actions: fc.array(action, { minLength: 1, maxLength: 4 }),
})

function everything(...kinds: readonly string[]): Rule {
  const levels = kinds.map((kind) => ({ kind, name: '*' }))
  return { effect: 'allow', not: false, resources: [levels], notActions: false, actions: ['*'] }
}

const view: Rule = { ...everything('proj'), actions: ['viewProject'] }
const wide = [
  everything('proj'),
  everything('proj', 'env'),
  everything('proj', 'env', 'flag'),
  everything('proj', 'env', 'segment'),
]
export const policy = fc.oneof(
  fc.array(rule, { minLength: 1, maxLength: 5 }).map((rules) => [view, ...rules]),
  fc.array(rule, { minLength: 1, maxLength: 3 }).map((rules) => [view, ...wide, ...rules]),
  { weight: 1, arbitrary: fc.array(rule, { minLength: 1, maxLength: 5 }) },
)

// Changes: each is a call by a given caller.

export interface Call {
  readonly id: keyof Engine['api']
  readonly input: object
}

/** The engine checks the body of a patch, so its type is loose here. */
export function make({ id, input }: Call, { api }: Engine, as: object): Promise<string> {
  const call = api[id] as (given: object, options: object) => Promise<unknown>
  return call(input, { as }).then(
    () => 'done',
    (error: ApiError) => error.code,
  )
}

const anyProject = fc.constantFrom(...projectKeys, 'web')
const anyEnvironment = fc.constantFrom(...environmentKeys)
const word = fc.constantFrom('x', 'y', 'z')
const tags = fc.uniqueArray(tag, { maxLength: 2 })
const index = fc.constantFrom(0, 1)
const clauses = (value: string) => [
  { contextKind: 'user', attribute: 'email', op: 'in', values: [value], negate: false },
]

export const put = (path: string, value: unknown) => ({ op: 'replace', path, value })
const patchOf = (...choices: readonly fc.Arbitrary<object>[]) =>
  fc.array(fc.oneof(...choices), { minLength: 1, maxLength: 3 })

const flagOperation = fc.oneof(
  word.map((value) => put('/name', value)),
  word.map((value) => put('/description', value)),
  tags.map((value) => put('/tags', value)),
  fc.boolean().map((value) => put('/temporary', value)),
  fc.boolean().map((value) => put('/archived', value)),
  fc.boolean().map((value) => put('/deprecated', value)),
  fc.boolean().map((value) => put('/includeInSnippet', value)),
  fc.boolean().map((value) => put('/clientSideAvailability/usingMobileKey', value)),
  word.map((value) => ({ op: 'add', path: '/variations/0/name', value })),
  index.map((value) => put('/defaults/offVariation', value)),
  word.map((value) => ({ op: 'add', path: `/customProperties/${value}`, value: { name: value, value: ['1'] } })),
  fc.constant({ op: 'remove', path: '/maintainerId' }),
  fc.tuple(fc.constantFrom('name', 'description'), fc.constantFrom('name', 'description')).map(([from, to]) => ({
    op: 'copy',
    from: `/${from}`,
    path: `/${to}`,
  })),
)
const configOperation = anyEnvironment.chain((key) => {
  const at = `/environments/${key}`
  return fc.oneof(
    fc.boolean().map((value) => put(`${at}/on`, value)),
    index.map((value) => put(`${at}/offVariation`, value)),
    index.map((variation) => put(`${at}/fallthrough`, { variation })),
    fc.boolean().map((value) => put(`${at}/trackEvents`, value)),
    fc.boolean().map((value) => put(`${at}/trackEventsFallthrough`, value)),
    fc.tuple(word, index).map(([one, variation]) => put(`${at}/targets`, [{ values: [one], variation }])),
    fc.tuple(word, index).map(([one, variation]) => put(`${at}/rules`, [{ clauses: clauses(one), variation }])),
    anyEnvironment.map((from) => ({ op: 'copy', from: `/environments/${from}/on`, path: `${at}/on` })),
    anyEnvironment.map((from) => ({
      op: 'move',
      from: `/environments/${from}/offVariation`,
      path: `${at}/offVariation`,
    })),
  )
})

const flagInstruction = fc.oneof(
  word.map((value) => ({ kind: 'updateName', value })),
  tags.map((values) => ({ kind: 'addTags', values })),
  tags.map((values) => ({ kind: 'removeTags', values })),
  fc
    .constantFrom(
      ...['makeFlagTemporary', 'makeFlagPermanent', 'archiveFlag', 'restoreFlag', 'deprecateFlag', 'removeMaintainer'],
      ...['turnFlagOn', 'turnFlagOff', 'turnFlagOn'],
    )
    .map((kind) => ({ kind })),
  fc.boolean().map((trackEvents) => ({ kind: 'updateTrackEvents', trackEvents })),
  word.map((value) => ({ kind: 'updateDescription', value })),
  fc.boolean().map((value) => ({ kind: 'updateDefaultVariation', offVariationValue: value })),
)

const segmentOperation = fc.oneof(
  word.map((value) => put('/name', value)),
  tags.map((value) => put('/tags', value)),
  word.map((value) => ({ op: 'add', path: '/description', value })),
  word.map((value) => put('/included', [value])),
  word.map((value) => put('/excluded', [`not ${value}`])),
  word.map((value) => put('/includedContexts', [{ contextKind: 'org', values: [value] }])),
  word.map((value) => put('/rules', [{ clauses: clauses(value) }])),
  fc.constant({ op: 'move', from: '/included/0', path: '/excluded/-' }),
)
const segmentInstruction = fc.oneof(
  word.map((value) => ({ kind: 'updateName', value })),
  tags.map((values) => ({ kind: 'addTags', values })),
  tags.map((values) => ({ kind: 'removeTags', values })),
  word.map((value) => ({ kind: 'addIncludedUsers', values: [value] })),
  word.map((value) => ({ kind: 'removeIncludedUsers', values: [value] })),
  word.map((value) => ({ kind: 'addExcludedTargets', values: [`not ${value}`] })),
  word.map((value) => ({ kind: 'addRule', clauses: clauses(value) })),
)

// A flag that has no configuration yet follows `defaultTrackEvents` of its environment; that property is not changed here.
const environmentPatch = patchOf(
  word.map((value) => put('/name', value)),
  fc.constantFrom('000000', 'ffffff').map((value) => put('/color', value)),
  fc.nat({ max: 3 }).map((value) => put('/defaultTtl', value)),
  fc.boolean().map((value) => put('/critical', value)),
  fc.boolean().map((value) => put('/secureMode', value)),
  fc.boolean().map((value) => put('/confirmChanges', value)),
  fc.boolean().map((value) => put('/approvalSettings/canReviewOwnRequest', value)),
  tags.map((value) => put('/tags', value)),
)
const projectPatch = patchOf(
  word.map((value) => put('/name', value)),
  tags.map((value) => put('/tags', value)),
  fc.boolean().map((value) => put('/includeInSnippetByDefault', value)),
  fc.boolean().map((value) => put('/defaultClientSideAvailability/usingMobileKey', value)),
)

const flagPlace = fc.record({ projectKey: anyProject, featureFlagKey: fc.constantFrom(...flagKeys) })
const environmentPlace = fc.record({ projectKey: anyProject, environmentKey: anyEnvironment })
const segmentPlace = fc.record({
  projectKey: anyProject,
  environmentKey: anyEnvironment,
  segmentKey: fc.constantFrom(...segmentKeys),
})
export const named = (key: string, more: object = {}) => ({ key, name: key, ...more })

function calling(id: Call['id'], place: fc.Arbitrary<object>, body?: fc.Arbitrary<unknown>): fc.Arbitrary<Call> {
  const given = body?.map((value) => ({ body: value })) ?? fc.constant({})
  return fc.tuple(place, given).map(([keys, more]) => ({ id, input: { ...keys, ...more } }))
}

export const calls: fc.Arbitrary<Call> = fc.oneof(
  { weight: 12, arbitrary: calling('patchFlag', flagPlace, patchOf(flagOperation, configOperation)) },
  {
    weight: 12,
    arbitrary: calling(
      'patchFlag',
      flagPlace,
      fc.record({ environmentKey: anyEnvironment, instructions: patchOf(flagInstruction) }),
    ),
  },
  { weight: 6, arbitrary: calling('patchSegment', segmentPlace, patchOf(segmentOperation)) },
  {
    weight: 6,
    arbitrary: segmentPlace.chain((place) =>
      calling(
        'patchSegment',
        fc.constant(place),
        fc.record({ environmentKey: fc.constant(place.environmentKey), instructions: patchOf(segmentInstruction) }),
      ),
    ),
  },
  { weight: 6, arbitrary: calling('patchEnvironment', environmentPlace, environmentPatch) },
  { weight: 5, arbitrary: calling('patchProject', fc.record({ projectKey: anyProject }), projectPatch) },
  calling('resetSdkKey', environmentPlace),
  calling('resetMobileKey', environmentPlace),
  calling(
    'createProject',
    fc.constant({}),
    fc.tuple(anyProject, tags).map(([key, given]) => named(key, { tags: given })),
  ),
  calling(
    'createEnvironment',
    fc.record({ projectKey: anyProject }),
    fc.tuple(anyEnvironment, tags).map(([key, given]) => named(key, { color: '000000', tags: given })),
  ),
  calling(
    'createFlag',
    fc.record({ projectKey: anyProject }),
    fc.tuple(fc.constantFrom(...flagKeys), tags).map(([key, given]) => named(key, { tags: given })),
  ),
  calling(
    'createSegment',
    environmentPlace,
    fc.tuple(fc.constantFrom(...segmentKeys), tags).map(([key, given]) => named(key, { tags: given })),
  ),
  calling('deleteFlag', flagPlace),
  calling('patchFlag', flagPlace, fc.constant({ instructions: [{ kind: 'deleteFlag' }] })),
  calling('deleteSegment', segmentPlace),
  calling('deleteEnvironment', environmentPlace),
  calling('deleteProject', fc.record({ projectKey: fc.constant('api') })),
)
