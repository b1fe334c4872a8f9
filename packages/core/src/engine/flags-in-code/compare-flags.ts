import type { Api } from '../../engine-api.ts'
import { ApiError } from '../../operation/errors.ts'
import type { As } from '../../pipeline/authenticate.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { type DefinedFlags, declarationsOf } from './define-flags.ts'
import { type FlagDeclaration, type FlagDeclarations, hasDeclaredType } from './flag-declaration.ts'
import { type StoredFlag, storedFlags } from './stored-flags.ts'

/** The operations of an engine that `compareFlags` calls. */
export interface ComparingEngine {
  readonly api: Pick<Api, 'listFlags' | 'createFlag'>
}

/** Options of `compareFlags`. */
export interface CompareFlagsOptions {
  /** Caller, who needs `viewProject`, and `createFlag` to register flags. */
  readonly as: As
  /** True to create the declared flags that the project lacks. Default: false. */
  readonly register?: boolean
}

/** Differences between declared flags and the flags of a project: keys, in alphabetical order. */
export interface FlagComparison {
  /** Declared flags that this call created. */
  readonly registered: readonly string[]
  /** Declared flags that the project lacks. Their accessors return the fallback. */
  readonly missing: readonly string[]
  /** Declared flags that are archived. Their accessors return the fallback. */
  readonly archived: readonly string[]
  /** Declared flags of which a variation has another type. */
  readonly mismatched: readonly string[]
  /** Flags of the project that are not declared and not archived. */
  readonly undeclared: readonly string[]
}

/**
 * Compares declared flags with the flags of a project, and creates the missing ones on request. A created flag is off
 * everywhere and serves its fallback; when it is on, it serves true, or the first of `values` that is not the fallback.
 * Existing flags stay as they are.
 *
 * @param projectKey key of the project, whose flags all environments share.
 * @throws ApiError as `listFlags` and `createFlag` do; flags that were created before stay. TypeError naming a missing
 *   flag that cannot be registered because it declares fewer than two values; nothing is created then.
 */
export async function compareFlags<D extends FlagDeclarations>(
  flags: DefinedFlags<D>,
  engine: ComparingEngine,
  projectKey: string,
  { as, register = false }: CompareFlagsOptions,
): Promise<FlagComparison> {
  const declared = new Map<string, FlagDeclaration>(Object.entries(declarationsOf(flags)))
  const stored = await storedFlags(engine, projectKey, as)
  const lacking = [...declared].filter(([key]) => !stored.has(key))
  const registered = register ? await registerFlags(lacking, engine, projectKey, as) : []
  const both = [...declared].flatMap(([key, declaration]) => {
    const flag = stored.get(key)
    return flag ? [{ key, declaration, flag }] : []
  })
  return {
    registered: registered.sort(),
    missing: register ? [] : lacking.map(([key]) => key).sort(),
    archived: both.flatMap(({ key, flag }) => (flag.archived ? [key] : [])).sort(),
    mismatched: both.flatMap(({ key, declaration, flag }) => (isMismatched(declaration, flag) ? [key] : [])).sort(),
    undeclared: [...stored.values()]
      .flatMap(({ key, archived }) => (archived || declared.has(key) ? [] : [key]))
      .sort(),
  }
}

async function registerFlags(
  lacking: readonly (readonly [string, FlagDeclaration])[],
  { api }: ComparingEngine,
  projectKey: string,
  as: As,
): Promise<string[]> {
  const bodies = lacking.map(([key, declaration]) => requestOf(key, declaration))
  const registered: string[] = []
  for (const body of bodies) {
    try {
      await api.createFlag({ projectKey, body }, { as })
      registered.push(body.key)
    } catch (error) {
      // Another process that starts at the same time has registered it.
      if (!(error instanceof ApiError && error.code === 'optimistic_locking_error')) throw error
    }
  }
  return registered
}

function requestOf(key: string, declaration: FlagDeclaration) {
  const values = valuesOf(declaration)
  const offVariation = values.findIndex((value) => jsonEqual(value, declaration.fallback))
  if (values.length < 2 || offVariation < 0) {
    throw new TypeError(`${key}.values: must contain at least 2 values, one of them \`fallback\`, to register the flag`)
  }
  return {
    key,
    name: declaration.name ?? key,
    ...(declaration.description === undefined ? {} : { description: declaration.description }),
    variations: values.map((value) => ({ value })),
    defaults: { onVariation: offVariation === 0 ? 1 : 0, offVariation },
  }
}

function valuesOf(declaration: FlagDeclaration): readonly unknown[] {
  return declaration.type === 'boolean' ? [true, false] : (declaration.values ?? [])
}

function isMismatched(declaration: FlagDeclaration, { variations }: StoredFlag): boolean {
  return variations.some(({ value }) => !hasDeclaredType(declaration, value))
}
