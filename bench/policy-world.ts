import { actionsOf, type Resource, type Statement } from '@halyard/core/policy'

export type Kind = 'proj' | 'env' | 'flag' | 'segment'

/** A policy statement, independent of the language of an engine. `*` is the only wildcard. */
export interface Rule {
  readonly effect: 'allow' | 'deny'
  readonly kind: Kind
  /** Patterns of the keys of its levels, outermost first. */
  readonly names: readonly string[]
  /** A tag that the last level must have. */
  readonly tag?: string
  readonly actions: readonly string[]
}

/** A resource with the keys of its levels, outermost first. */
export interface Thing {
  readonly kind: Kind
  readonly keys: readonly string[]
  readonly tags: readonly string[]
}

export interface Question {
  readonly action: string
  readonly thing: Thing
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
export const questions: readonly Question[] = ['web', 'mobile', 'billing', 'unknown'].flatMap((project) => [
  ...flagActions.flatMap((action) => [
    ask(action, 'flag', [project, 'production', `${project}-payment`], ['safe']),
    ask(action, 'flag', [project, 'production', 'checkout'], ['ui', 'safe']),
    ask(action, 'flag', [project, 'test-eu', 'checkout'], []),
  ]),
  ...segmentActions.map((action) => ask(action, 'segment', [project, 'production', 'beta-users'], ['locked'])),
  ask('updateName', 'env', [project, 'staging'], []),
  ask('viewProject', 'proj', [project], []),
])

function ask(action: string, kind: Kind, keys: readonly string[], tags: readonly string[]): Question {
  return { action, thing: { kind, keys, tags } }
}

/** Returns the kinds of the levels of a resource. */
function levelsOf(kind: Kind): readonly Kind[] {
  if (kind === 'proj') return ['proj']
  return kind === 'env' ? ['proj', 'env'] : ['proj', 'env', kind]
}

/** Returns the names of the actions that a rule with wildcards covers. */
export function expanded({ kind, actions }: Rule): readonly string[] {
  return actionsOf(kind).filter((action) => actions.some((entry) => patternOf(entry).test(action)))
}

/** Returns the regular expression of a pattern; the patterns above contain no character to escape. */
export function patternOf(glob: string): RegExp {
  return new RegExp(`^${glob.replaceAll('*', '.*')}$`)
}

export function statementOf({ effect, kind, names, tag, actions }: Rule): Statement {
  const specifier = levelsOf(kind)
    .map((level, at) => `${level}/${names[at]}`)
    .join(':')
  return { effect, resources: [tag === undefined ? specifier : `${specifier};${tag}`], actions }
}

export function resourceOf({ kind, keys, tags }: Thing): Resource {
  const last = keys.length - 1
  return levelsOf(kind).map((level, at) => {
    const key = keys[at] as string
    return at === last ? { kind: level, key, tags } : { kind: level, key }
  })
}

/** Reference implementation that every engine must agree with. */
export function expectedAnswer({ action, thing }: Question): boolean {
  const spoken = rules.filter(
    ({ kind, names, tag, actions }) =>
      kind === thing.kind &&
      actions.some((entry) => patternOf(entry).test(action)) &&
      names.every((name, at) => patternOf(name).test(thing.keys[at] as string)) &&
      (tag === undefined || thing.tags.includes(tag)),
  )
  return spoken.length > 0 && spoken.every(({ effect }) => effect === 'allow')
}
