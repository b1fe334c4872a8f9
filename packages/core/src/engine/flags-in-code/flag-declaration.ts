/** Properties that every declaration of a flag has. */
interface CommonDeclaration {
  /** Description of the flag when it is registered. Default: no description. */
  readonly description?: string
  /** Name of the flag when it is registered. Default: its key. */
  readonly name?: string
}

/**
 * A flag as a program declares it: its type, and the value that the program uses when the flag has no value or a value
 * of another type. `values` are all values that the program handles; any other value counts as no value. They become
 * the variations of the flag when it is registered, which needs at least two.
 */
export type FlagDeclaration =
  | (CommonDeclaration & { readonly type: 'boolean'; readonly fallback: boolean })
  | (CommonDeclaration & { readonly type: 'string'; readonly fallback: string; readonly values?: readonly string[] })
  | (CommonDeclaration & { readonly type: 'number'; readonly fallback: number; readonly values?: readonly number[] })
  | (CommonDeclaration & { readonly type: 'json'; readonly fallback: object; readonly values?: readonly object[] })

/** Declarations by flag key. */
export type FlagDeclarations = Readonly<Record<string, FlagDeclaration>>

/** The type of the values of a declared flag. */
export type DeclaredValue<D extends FlagDeclaration> = D extends { readonly type: 'boolean' }
  ? boolean
  : D extends { readonly type: 'string' | 'number'; readonly values: readonly (infer Value)[] }
    ? Value
    : WidenedType<D['fallback']>

/** A type without its literals: `{ readonly times: number }` for `{ readonly times: 3 }`. */
type WidenedType<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends boolean
      ? boolean
      : T extends readonly (infer Item)[]
        ? readonly WidenedType<Item>[]
        : T extends object
          ? { readonly [Name in keyof T]: WidenedType<T[Name]> }
          : T

/** The declared flags by key, each with the type of its values, for `engine.evaluator<DeclaredFlags<typeof …>>`. */
export type DeclaredFlags<D extends FlagDeclarations> = { readonly [Key in keyof D]: DeclaredValue<D[Key]> }

/** Returns true when a value has the type of a declaration. */
export function hasDeclaredType({ type }: Pick<FlagDeclaration, 'type'>, value: unknown): boolean {
  return type === 'json' ? typeof value === 'object' && value !== null : typeof value === type
}

/**
 * Returns true when a program handles a value: it has the declared type, and is one of `values` if these are primitive.
 */
export function isHandled(declaration: FlagDeclaration, value: unknown): boolean {
  if (!hasDeclaredType(declaration, value)) return false
  const values: readonly unknown[] | undefined = 'values' in declaration ? declaration.values : undefined
  return declaration.type === 'json' || values === undefined || values.includes(value)
}

/**
 * Checks declarations, which JavaScript programs write without types.
 *
 * @throws TypeError naming the flag, the property and the rule.
 */
export function requireValidDeclarations(declarations: FlagDeclarations): void {
  for (const [key, declaration] of Object.entries(declarations)) {
    const { type, fallback } = declaration
    if (!['boolean', 'string', 'number', 'json'].includes(type)) {
      throw new TypeError(`${key}.type: must be boolean, string, number or json`)
    }
    if (!hasDeclaredType(declaration, fallback)) throw new TypeError(`${key}.fallback: must be ${typeNames[type]}`)
    if (!('values' in declaration) || declaration.values === undefined) continue
    const values: readonly unknown[] = declaration.values
    if (values.some((value) => !hasDeclaredType(declaration, value))) {
      throw new TypeError(`${key}.values: each must be ${typeNames[type]}`)
    }
    if (!isHandled(declaration, fallback)) throw new TypeError(`${key}.fallback: must be one of \`values\``)
  }
}

const typeNames: Readonly<Record<FlagDeclaration['type'], string>> = {
  boolean: 'a boolean',
  string: 'a string',
  number: 'a number',
  json: 'an object or an array',
}
