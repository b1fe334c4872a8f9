import fc from 'fast-check'
import type { ApiError, Engine } from '../../index.ts'
import { actionsOf, type LevelRule, lifeActions, type Rule } from './access-model.ts'

// Keys of a small account, so that rules of policies often match its resources.

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

// A change: a call by some caller.

export interface Call {
  readonly id: keyof Engine['api']
  readonly input: object
}

/**
 * Makes a call and returns `done` or the code of its error. The type of the input is not strict, because the engine
 * checks it.
 */
export function make({ id, input }: Call, { api }: Engine, as: object): Promise<string> {
  const call = api[id] as (input: object, options: object) => Promise<unknown>
  return call(input, { as }).then(
    () => 'done',
    (error: ApiError) => error.code,
  )
}

const anyProject = fc.constantFrom(...projectKeys, 'web')
const anyEnvironment = fc.constantFrom(...environmentKeys)
const text = fc.constantFrom('x', 'y', 'z')
const tags = fc.uniqueArray(tag, { maxLength: 2 })
const index = fc.constantFrom(0, 1)
const clauses = (value: string) => [
  { contextKind: 'user', attribute: 'email', op: 'in', values: [value], negate: false },
]

export const replaceAt = (path: string, value: unknown) => ({ op: 'replace', path, value })
const patchOf = (...choices: readonly fc.Arbitrary<object>[]) =>
  fc.array(fc.oneof(...choices), { minLength: 1, maxLength: 3 })

const flagOperation = fc.oneof(
  text.map((value) => replaceAt('/name', value)),
  text.map((value) => replaceAt('/description', value)),
  tags.map((value) => replaceAt('/tags', value)),
  fc.boolean().map((value) => replaceAt('/temporary', value)),
  fc.boolean().map((value) => replaceAt('/archived', value)),
  fc.boolean().map((value) => replaceAt('/deprecated', value)),
  fc.boolean().map((value) => replaceAt('/includeInSnippet', value)),
  fc.boolean().map((value) => replaceAt('/clientSideAvailability/usingMobileKey', value)),
  text.map((value) => ({ op: 'add', path: '/variations/0/name', value })),
  index.map((value) => replaceAt('/defaults/offVariation', value)),
  text.map((value) => ({ op: 'add', path: `/customProperties/${value}`, value: { name: value, value: ['1'] } })),
  fc.constant({ op: 'remove', path: '/maintainerId' }),
  fc.tuple(fc.constantFrom('name', 'description'), fc.constantFrom('name', 'description')).map(([from, to]) => ({
    op: 'copy',
    from: `/${from}`,
    path: `/${to}`,
  })),
)
const configOperation = anyEnvironment.chain((key) => {
  const environmentPath = `/environments/${key}`
  return fc.oneof(
    fc.boolean().map((value) => replaceAt(`${environmentPath}/on`, value)),
    index.map((value) => replaceAt(`${environmentPath}/offVariation`, value)),
    index.map((variation) => replaceAt(`${environmentPath}/fallthrough`, { variation })),
    fc.boolean().map((value) => replaceAt(`${environmentPath}/trackEvents`, value)),
    fc.boolean().map((value) => replaceAt(`${environmentPath}/trackEventsFallthrough`, value)),
    fc
      .tuple(text, index)
      .map(([one, variation]) => replaceAt(`${environmentPath}/targets`, [{ values: [one], variation }])),
    fc
      .tuple(text, index)
      .map(([one, variation]) => replaceAt(`${environmentPath}/rules`, [{ clauses: clauses(one), variation }])),
    anyEnvironment.map((from) => ({ op: 'copy', from: `/environments/${from}/on`, path: `${environmentPath}/on` })),
    anyEnvironment.map((from) => ({
      op: 'move',
      from: `/environments/${from}/offVariation`,
      path: `${environmentPath}/offVariation`,
    })),
  )
})

const flagInstruction = fc.oneof(
  text.map((value) => ({ kind: 'updateName', value })),
  tags.map((values) => ({ kind: 'addTags', values })),
  tags.map((values) => ({ kind: 'removeTags', values })),
  fc
    .constantFrom(
      ...['makeFlagTemporary', 'makeFlagPermanent', 'archiveFlag', 'restoreFlag', 'deprecateFlag', 'removeMaintainer'],
      ...['turnFlagOn', 'turnFlagOff', 'turnFlagOn'],
    )
    .map((kind) => ({ kind })),
  fc.boolean().map((trackEvents) => ({ kind: 'updateTrackEvents', trackEvents })),
  text.map((value) => ({ kind: 'updateDescription', value })),
  fc.boolean().map((value) => ({ kind: 'updateDefaultVariation', offVariationValue: value })),
)

const segmentOperation = fc.oneof(
  text.map((value) => replaceAt('/name', value)),
  tags.map((value) => replaceAt('/tags', value)),
  text.map((value) => ({ op: 'add', path: '/description', value })),
  text.map((value) => replaceAt('/included', [value])),
  text.map((value) => replaceAt('/excluded', [`not ${value}`])),
  text.map((value) => replaceAt('/includedContexts', [{ contextKind: 'org', values: [value] }])),
  text.map((value) => replaceAt('/rules', [{ clauses: clauses(value) }])),
  fc.constant({ op: 'move', from: '/included/0', path: '/excluded/-' }),
)
const segmentInstruction = fc.oneof(
  text.map((value) => ({ kind: 'updateName', value })),
  tags.map((values) => ({ kind: 'addTags', values })),
  tags.map((values) => ({ kind: 'removeTags', values })),
  text.map((value) => ({ kind: 'addIncludedUsers', values: [value] })),
  text.map((value) => ({ kind: 'removeIncludedUsers', values: [value] })),
  text.map((value) => ({ kind: 'addExcludedTargets', values: [`not ${value}`] })),
  text.map((value) => ({ kind: 'addRule', clauses: clauses(value) })),
)

// A flag that has no configuration yet follows `defaultTrackEvents` of its environment; that property is not changed
// here.
const environmentPatch = patchOf(
  text.map((value) => replaceAt('/name', value)),
  fc.constantFrom('000000', 'ffffff').map((value) => replaceAt('/color', value)),
  fc.nat({ max: 3 }).map((value) => replaceAt('/defaultTtl', value)),
  fc.boolean().map((value) => replaceAt('/critical', value)),
  fc.boolean().map((value) => replaceAt('/secureMode', value)),
  fc.boolean().map((value) => replaceAt('/confirmChanges', value)),
  fc.boolean().map((value) => replaceAt('/approvalSettings/canReviewOwnRequest', value)),
  tags.map((value) => replaceAt('/tags', value)),
)
const projectPatch = patchOf(
  text.map((value) => replaceAt('/name', value)),
  tags.map((value) => replaceAt('/tags', value)),
  fc.boolean().map((value) => replaceAt('/includeInSnippetByDefault', value)),
  fc.boolean().map((value) => replaceAt('/defaultClientSideAvailability/usingMobileKey', value)),
)

const flagPlace = fc.record({ projectKey: anyProject, flagKey: fc.constantFrom(...flagKeys) })
const environmentPlace = fc.record({ projectKey: anyProject, environmentKey: anyEnvironment })
const segmentPlace = fc.record({
  projectKey: anyProject,
  environmentKey: anyEnvironment,
  segmentKey: fc.constantFrom(...segmentKeys),
})
export const documentWith = (key: string, more: object = {}) => ({ key, name: key, ...more })

function calling(id: Call['id'], place: fc.Arbitrary<object>, body?: fc.Arbitrary<unknown>): fc.Arbitrary<Call> {
  const input = body?.map((value) => ({ body: value })) ?? fc.constant({})
  return fc.tuple(place, input).map(([keys, more]) => ({ id, input: { ...keys, ...more } }))
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
    fc.tuple(anyProject, tags).map(([key, input]) => documentWith(key, { tags: input })),
  ),
  calling(
    'createEnvironment',
    fc.record({ projectKey: anyProject }),
    fc.tuple(anyEnvironment, tags).map(([key, input]) => documentWith(key, { color: '000000', tags: input })),
  ),
  calling(
    'createFlag',
    fc.record({ projectKey: anyProject }),
    fc.tuple(fc.constantFrom(...flagKeys), tags).map(([key, input]) => documentWith(key, { tags: input })),
  ),
  calling(
    'createSegment',
    environmentPlace,
    fc.tuple(fc.constantFrom(...segmentKeys), tags).map(([key, input]) => documentWith(key, { tags: input })),
  ),
  calling('deleteFlag', flagPlace),
  calling('patchFlag', flagPlace, fc.constant({ instructions: [{ kind: 'deleteFlag' }] })),
  calling('deleteSegment', segmentPlace),
  calling('deleteEnvironment', environmentPlace),
  calling('deleteProject', fc.record({ projectKey: fc.constant('api') })),
)
