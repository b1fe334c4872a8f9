import { definitionOf, type Operation } from './operation.ts'

/** The part of an operation that is known before its definition is imported: routes, rights and explanations need it. */
export type ListedOperation = Pick<
  Operation,
  'id' | 'summary' | 'method' | 'path' | 'beta' | 'freeParams' | 'errors' | 'access'
>

/** Has every property, so that the compiler reports one that is missing here. */
type Complete<T> = { readonly [K in keyof Required<T>]: T[K] }

/**
 * Returns an operation whose definition is imported at its first call. Until then its schemas and its handler cannot be
 * read, unless another module has imported the definition.
 *
 * @param importDefinition imports the module that contains the definition.
 */
export function listedOperation(listed: ListedOperation, importDefinition: () => Promise<unknown>): Operation {
  let loaded: Operation | undefined
  function definition(): Operation {
    loaded ??= definitionOf(listed.id)
    if (!loaded) throw new Error(`${listed.id}: await engine.definitions() before reading schemas of operations`)
    return loaded
  }
  const rest: Complete<Omit<Operation, keyof ListedOperation>> = {
    load: () => loaded ?? importDefinition().then(definition),
    get query() {
      return definition().query
    },
    get body() {
      return definition().body
    },
    get bodyLimit() {
      return definition().bodyLimit
    },
    get dry() {
      return definition().dry
    },
    get success() {
      return definition().success
    },
    get undo() {
      return definition().undo
    },
    get identify() {
      return definition().identify
    },
    get undoes() {
      return definition().undoes
    },
    get combines() {
      return definition().combines
    },
    handle: (context, input) => definition().handle(context, input),
  }
  return Object.defineProperties({ ...listed } as Operation, Object.getOwnPropertyDescriptors(rest))
}
