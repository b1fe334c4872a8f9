import { actionsOf, type Resource, type Statement } from '@halyard/core/policy'

export type Kind = 'proj' | 'env' | 'flag' | 'segment'

/** A policy statement, independent of the language of an engine. `*` is the only wildcard. */
export interface Rule {
  readonly effect: 'allow' | 'deny'
  readonly kind: Kind
  /** Patterns of the keys of a resource, one for each level, outermost level first. */
  readonly names: readonly string[]
  /** A tag that the last level must have. */
  readonly tag?: string
  readonly actions: readonly string[]
}

/** A resource with the keys of its levels, outermost first. */
export interface PolicyResource {
  readonly kind: Kind
  readonly keys: readonly string[]
  readonly tags: readonly string[]
}

export interface AccessQuery {
  readonly action: string
  readonly resource: PolicyResource
}

const projects = ['web', 'mobile', 'billing', 'search', 'data']

/** Ten statements for each of five projects, like the roles of real accounts: 50. */
export const rules: readonly Rule[] = projects.flatMap((project): Rule[] => [
  { effect: 'allow', kind: 'proj', names: [project], actions: ['view*'] },
  { effect: 'allow', kind: 'env', names: [project, 'test*'], actions: ['*'] },
  { effect: 'allow', kind: 'env', names: [project, '*'], actions: ['updateName', 'updateColor'] },
  { effect: 'deny', kind: 'env', names: [project, 'prod*'], actions: ['delete*', 'update*'] },
  { effect: 'allow', kind: 'flag', names: [project, 'test*', '*'], actions: ['*'] },
  { effect: 'allow', kind: 'flag', names: [project, '*', `${project}-*`], actions: ['update*', 'createFlag'] },
  { effect: 'allow', kind: 'flag', names: [project, 'prod*', '*'], tag: 'safe', actions: ['updateOn', 'updateRules'] },
  { effect: 'deny', kind: 'flag', names: ['*', 'prod*', '*-payment'], actions: ['*'] },
  { effect: 'allow', kind: 'segment', names: [project, '*', 'beta-*'], actions: ['update*'] },
  {
    effect: 'deny',
    kind: 'segment',
    names: [project, 'production', '*'],
    tag: 'locked',
    actions: ['update*', 'delete*'],
  },
])

const flagActions = ['updateOn', 'updateRules', 'createFlag', 'deleteFlag']
const segmentActions = ['updateIncluded', 'deleteSegment']

/** 64 queries for four projects: each has twelve on flags in two environments, and four on other kinds. */
export const queries: readonly AccessQuery[] = ['web', 'mobile', 'billing', 'unknown'].flatMap((project) => [
  ...flagActions.flatMap((action) => [
    accessQuery(action, 'flag', [project, 'production', `${project}-payment`], ['safe']),
    accessQuery(action, 'flag', [project, 'production', 'checkout'], ['ui', 'safe']),
    accessQuery(action, 'flag', [project, 'test-eu', 'checkout'], []),
  ]),
  ...segmentActions.map((action) => accessQuery(action, 'segment', [project, 'production', 'beta-users'], ['locked'])),
  accessQuery('updateName', 'env', [project, 'staging'], []),
  accessQuery('viewProject', 'proj', [project], []),
])

function accessQuery(action: string, kind: Kind, keys: readonly string[], tags: readonly string[]): AccessQuery {
  return { action, resource: { kind, keys, tags } }
}

/** Returns the kinds of the levels of a resource. */
function levelsOf(kind: Kind): readonly Kind[] {
  if (kind === 'proj') return ['proj']
  return kind === 'env' ? ['proj', 'env'] : ['proj', 'env', kind]
}

/** Returns the names of the actions that a rule with wildcards covers. */
export function expandActions({ kind, actions }: Rule): readonly string[] {
  return actionsOf(kind).filter((action) => actions.some((entry) => patternOf(entry).test(action)))
}

/** Returns the regular expression of a pattern; the patterns above contain no character to escape. */
export function patternOf(glob: string): RegExp {
  return new RegExp(`^${glob.replaceAll('*', '.*')}$`)
}

export function statementOf({ effect, kind, names, tag, actions }: Rule): Statement {
  const specifier = levelsOf(kind)
    .map((level, index) => `${level}/${names[index]}`)
    .join(':')
  return { effect, resources: [tag === undefined ? specifier : `${specifier};${tag}`], actions }
}

export function resourceOf({ kind, keys, tags }: PolicyResource): Resource {
  const last = keys.length - 1
  return levelsOf(kind).map((level, index) => {
    const key = keys[index] as string
    return index === last ? { kind: level, key, tags } : { kind: level, key }
  })
}

/** Reference implementation that every engine must agree with. */
export function expectedDecision({ action, resource }: AccessQuery): boolean {
  const matchingRules = rules.filter(
    ({ kind, names, tag, actions }) =>
      kind === resource.kind &&
      actions.some((entry) => patternOf(entry).test(action)) &&
      names.every((name, index) => patternOf(name).test(resource.keys[index] as string)) &&
      (tag === undefined || resource.tags.includes(tag)),
  )
  return matchingRules.length > 0 && matchingRules.every(({ effect }) => effect === 'allow')
}
